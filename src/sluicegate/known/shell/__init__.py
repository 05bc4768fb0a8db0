"""Shell text as a tree of commands: the one reader of it, for what is vetted and for what is about to run.

script = Reader(text).read()        # what may be a command is one: for text in documents, broken or half a line
script = Exact(text).read()         # the same reader, and a mark at all that is not certain: for text that will run
script.commands                     # words, assignments, redirections; each in a scope, in the order in which they end
script.marks                        # what was not read: where, and what it is
"""
