"""What a policy and its original demand of a release, and whether a release promises that.

A release is judged by its own claims; drop or weaken one, and what is left may still hold. Here the
owner's order is read again, by code that shares nothing with the methods that carried it out, and
every role, tree, claim, parameter, share and number of rows of the manifest is compared with it.
"""
