"""What may flow where, and what may happen at all: policies, in layers.

    from sluicegate.flow.policy.text.load import load, from_tree     a policy: file, standard one, tree -> Document
    from sluicegate.flow.policy.layers import Layers, Allow          Layers(documents, place=Place(base=, home=))
    layers.authorize(request, labels) -> Allow | Denial              request: policy.request.Request
    layers.entry_labels(source, path)  .untrusted(labels)  .influences(labels, model=True)
    layers.auth(name)  .keychain(entry)  .variable(name)  .privilege()  .autosigns(kind, name)
    layers.limits()  .net()  .tool(name)  .mcp(name)  .provider(name)
    from sluicegate.flow.policy.questions.explain import explain      every step of every layer
    from sluicegate.flow.policy.modules.profiles import read_profiles, select
    from sluicegate.flow.policy.modules.needs import read_needs, unmet
    from sluicegate.flow.policy.questions.table import read_table, run    tables of expected decisions

How it is put together, from the ground up:

- ``kernels`` decides, in integers; it is translated to Coq and proven as it stands;
- ``text/`` (``tree``, ``shape``, ``check``): text to tree to ``schema.Policy``, closed at each step, all problems with lines;
- ``rules/``: ``entries``, ``trie``, ``places``, ``options`` are the pattern language; ``capabilities`` and ``danger`` use it;
  ``flows``, ``sources``: label rules and stance;
- ``layer`` is one policy's six steps over all of these;
- ``layers`` asks every layer, ``bounds`` and ``grants`` compose the rest; ``refusals`` makes denials.

This module imports nothing, so that ``policy.request`` costs nothing to those who only make requests.
"""
