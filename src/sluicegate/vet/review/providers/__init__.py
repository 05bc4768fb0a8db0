"""Asking models: one question, one answer or one failure, whatever is at the other end.

Nothing is imported here; each part is its own module::

    from sluicegate.vet.review.providers.asking import AskBounds, ModelQuestion, ModelAnswer, ModelFailure, ask
    from sluicegate.vet.review.providers.seats import SeatSettings, checked  # what ``[review]`` says
    from sluicegate.vet.review.providers.build import provider_of  # the provider of a seat

    provider = provider_of(seat)
    answer = await ask(provider, ModelQuestion(system=..., user=..., schema=..., model=seat.model, bounds=seat.bounds))
    await provider.close()

``ask`` never raises, never outlives its seconds, and never gives more bytes than were asked for. It tries once: when to
try again is for the panel to say. The vendors' libraries are imported by the two wires alone, when a question is asked.
"""
