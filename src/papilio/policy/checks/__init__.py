"""What is wrong with a policy whose every key is well-formed: one kind of mistake per file."""
