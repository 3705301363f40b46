"""SQL sources: a text from a policy that DuckDB runs over files, as a stranger's program.

``process`` starts a child for each text and sets its limits; all else runs in that child: ``tree``
parses, ``check`` compares the tree with what ``kinds`` and ``functions.txt`` declare, ``files``
finds the named files, ``bound`` puts tables of ours in their place, ``sandbox`` runs the result.
"""
