"""Running scripts: every value carries its labels, and every effect passes the monitor.

``program`` runs a whole script. A node of the tree is evaluated by the handler that ``dispatch`` has for it; handlers stand
together by idea. What branches, and what may fail, goes through ``control``: nothing else asks a value for its content.
"""
