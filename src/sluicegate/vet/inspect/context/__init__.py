"""What a match means where it stands: text that warns of an attack is not the attack.

An adjuster may lower the confidence or the severity of a match, never raise one, and must say why. What
excuses is structure: a negation that governs the words, a quotation that is called an example, a list or a
table or a fence whose heading warns of it, a table of patterns that the code compares with. What is hidden
(a comment that no reader sees, invisible characters, an encoding) is never excused, for nobody hides a
warning; and nothing is excused that the skill elsewhere tells the agent to carry out.

``sections.Sections``, ``vendor.Vendors`` and ``admitted.Admitted`` are the adjusters. Nothing is imported here: a skill in which nothing
matches pays for none of them.
"""
