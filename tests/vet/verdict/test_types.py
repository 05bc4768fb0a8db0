from sluicegate.vet.verdict.types import Band, Decision, Severity


def test_an_enumeration_prints_its_names_and_counts_with_its_numbers():
    for kind in (Decision, Severity, Band):
        for member in kind:
            assert str(member) == f"{member}" == "{}".format(member) == member.name  # noqa: UP032
            assert f"{member:>16}" == member.name.rjust(16)
            assert f"{member:d}" == str(int(member)) == str(member.value)
