"""The verbs of Papilio, one per file: all that the command line and the web workbench call."""
