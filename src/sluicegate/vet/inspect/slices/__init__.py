"""What a place of a program rests on, as text: the statements that give its names their values.

``words`` cuts a text into statements without comments, ``statements`` tells which names each gives and takes, and
``slicing`` follows them backwards from a place. It knows no library and no source or sink, so that it sees the
constants of a flow which the analyzers do not model: a header, a second address, an argument.
"""
