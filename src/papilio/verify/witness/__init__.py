"""Truthfulness of every row, where the method says which source row each line is made of.

Finding out which published line is whose means a matching, which is costly and says only that
*some* assignment of people to lines is true. Whoever publishes knows the assignment. The verifier
asks for it and believes nothing: that it names every source row once, and that every cell of the
line is true of the row it names, is looked up in the files as they were written and in the
original. A wrong assignment can make a true release fail, never a false one pass. What is confirmed
is more than a matching would show: each person's line is true of that person.
"""
