"""What happened, and who says so: the ledger, the keys, the signatures. The ground floor; imports no other room.

Nothing is imported here; each part is its own module::

    from sluicegate.record.home import Home                  # where keys, trust and the ledgers' memory live
    from sluicegate.record.keys.keys import Keys
    from sluicegate.record.ledger.ledger import Ledger
    from sluicegate.record.files.files import FileLabels, Known, Unknown, Untracked
    from sluicegate.record.ledger import events

    home = Home.find(os.environ, workspace=root)           # refused inside the workspace
    keys = Keys(home, clock=time.time_ns)
    ledger = Ledger.open(root / ".sluicegate/sec/audit.jsonl", keys=keys, clock=time.time_ns,
                         fail_closed=True, checkpoint_every=1000)
    at = ledger.append(events.Denial(operation="cmd git push <secret>", code="POLICY_LABEL_FLOW_DENIED",
                                     rule="...", layer="...", labels=("secret",)))        # -> EventId, buffered
    ledger.flush()                                         # acknowledged: survives a kill of this process
    ledger.flush(durable=True)                             # survives a loss of power as well
    ledger.digest(b"a value")                              # salted; fit for an event, tells nothing of the value
    ledger.close()
    Ledger.verify(path, keys=keys)                         # -> Sound | Broken

    files = FileLabels(ledger, tracked=(root,))
    files.remember(path, ("secret", "src:mcp"), "mcp:createIssue")             # after the whole file was written
    files.remember(path, ("secret",), "op:append", appended=17)                # after 17 bytes were appended
    files.remember(path, ("secret",), "op:output", wrote=data)                 # where it knows what it wrote
    files.recall(path)                                     # -> Known(labels) | Unknown(labels) | Untracked()
    files.read(path)                                       # -> Reading(data, knowledge), of the same open file

    from sluicegate.record.signatures.signatures import of_template, sign, verify  # -> Signed;  Verified | Refused(reason)
    from sluicegate.record.signatures.shelf import Shelf      # signatures kept under .sluicegate/sec/sigs/
    shelf.ensure(of_template(text), purpose="instruction", name="@auditPrompt", signer=keys.signer(),
                 trust=keys.trust(), now=time.time_ns())                       # -> Signed: kept, or made
    shelf.verify(of_template(text), purpose="instruction", name="@auditPrompt", trust=keys.trust(),
                 now=time.time_ns())                                           # -> Verified | Refused
    from sluicegate.record.signatures.autosign import Autosign, autosign    # -> Sign | Leave(reason)

Labels are plain strings here. ``Unknown.labels`` are those that are known all the same (a file changed by others):
the caller joins them with what its policy says of unlabelled data. Every error is a ``RecordError``
(``sluicegate.record.errors``): ``code``, ``message``, ``hint``, ``diagnostics()``.

With ``fail_closed`` a failing ``append`` or ``flush`` raises ``LedgerError``, and the caller denies; without it the
failure is reported once, events are kept as far as memory allows, and what was lost is itself an event.
"""
