"""SQL sources: a text from a policy that DuckDB runs over files, as a stranger's program.

``papilio.data.io.sql`` starts a child for each text and sets its limits; all else runs in that
child: ``files`` parses and finds the named files, ``check`` compares the tree with what ``kinds``
and ``functions.txt`` declare, ``run`` puts tables of ours in their place and runs the result.
"""
