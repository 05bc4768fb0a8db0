"""Programs that a text or a script of the skill orders to run: are they in the skill, and so inspected?"""
