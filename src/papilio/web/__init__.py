"""The workbench: Papilio in a browser, on the owner's own machine."""
