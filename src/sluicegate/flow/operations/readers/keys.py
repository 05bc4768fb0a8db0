"""openssl: what its options, of one dash and a value behind, read, write, load and speak to."""

from __future__ import annotations

from typing import Final

from sluicegate.flow.operations.commands.inner import NEVER
from sluicegate.flow.operations.commands.reading import CommandReading
from sluicegate.flow.operations.commands.registry import reader
from sluicegate.flow.operations.commands.words import ArgumentWord, literal
from sluicegate.known.commands.spec import Spec

_FLAGS: Final = frozenset(
    """
    a A aes128 aes256 asn1parse base64 binary ca_verbose check checkhost ciphers clcerts cacerts d des3 dates debug der email enddate
    e encrypt decrypt sign verify fingerprint help hash hex issuer issuer_hash k5 list modulus nocerts nodes noenc noout nokeys nosalt
    ocsp_uri p P pbkdf2 pubin pubkey pubout purpose quiet r salt serial startdate subject subject_hash text trustout v verbose version
    x509 brief showcerts status nbio ign_eof no_ign_eof crlf tls1_2 tls1_3 no_ssl3 no_tls1 no_tls1_1 verify_return_error stdin table 1
    5 6 apr1 reverse utf8 batch new newreq utf8 traditional legacy strict no_check_time crl_check crl_check_all alpn_none providers
    commands digest-algorithms cipher-algorithms evp mlock raw c rfc822name nameopt_none resp_no_certs no_nonce fipsmodule
    """.split()
)
_READS: Final = frozenset(
    """
    in inkey key cert certfile CAfile CApath CAkey CA CAserial CRL crl signkey signer recip rand extfile content sigfile signature
    kdfopt_file peerkey untrusted trusted issuer_cert reqin respin rkey rsigner index chain certform_file genconf dcert dkey
    cert_chain keytab session sess_in peer psk_file serverinfo status_file macopt_file dhparam data queryfile inform_file certin
    verifyCAfile verify_other sign_other VAfile ocsp_check_file precert chainCAfile verifyCApath chainCApath attributes_file
    force_pubkey verifier engine_input inspkey oid oid_file CAstore chainCAstore verifyCAstore
    """.split()
)
_WRITES: Final = frozenset(
    "out keyout writerand outdir signer_out respout reqout sess_out msgfile keylogfile early_data_out CAcreateserial_out "
    "certsout cacertsout extracertsout newkeyout srvcertout".split()
)
_LOADS: Final = frozenset(
    "engine provider provider-path provider_path keygen_engine ssl_client_engine config".split()
)
_HOSTS: Final = frozenset("connect host proxy url server xmpphost_addr bind".split())
_SECRETS: Final = frozenset("pass passin passout passcerts kfile dpass certpass keypass".split())
_SERVES: Final = frozenset("www WWW HTTP".split())
_DATA: Final = frozenset(
    """
    K iv S k md iter cipher name inform outform keyform certform days set_serial subj addext section extensions reqexts newkey pkeyopt
    sigopt vfyopt nameopt reqopt certopt checkend checkemail checkip servername alpn starttls cipher ciphersuites groups curves sigalgs
    verify_depth verify_hostname verify_ip verify_name purpose port accept mac macopt hmac rsa algorithm length offset strparse genstr
    bits x509_strict primes num caname CSP maxsize maxmem startdate enddate not_before not_after policy depth seconds multi bytes
    """.split()
)


@reader("openssl")
def openssl(reading: CommandReading, words: tuple[ArgumentWord, ...], spec: Spec) -> None:
    """``openssl COMMAND [-option [VALUE]]... [FILE...]``."""
    if not words:
        reading.code("with commands from standard input")
        return
    command = reading.written(words[0], "the command of openssl", NEVER)
    reading.subcommands.append(command)
    if command in ("engine", "ca"):
        reading.code(command)
    if command == "rehash":
        reading.use("w", literal("."))
    at = 1
    while at < len(words):
        word = words[at]
        at += 1
        if not word.head.startswith("-") or word.text == "-":
            reading.guard(word, ("-",), "could be an option there", "write ./ in front of a path")
            reading.operands.append(word)
            reading.use("m" if command in ("rand", "prime", "passwd", "genrsa", "gendsa") else "r", word)
            continue
        text = reading.written(word, "an option", "write the option in the template")
        reading.flags.add(text)
        name, equals, _ = text.lstrip("-").partition("=")
        if equals:
            _option(reading, name, word.after(text.index("=") + 1))
        elif _takes_value(name) and at < len(words):
            _option(reading, name, words[at])
            at += 1
        else:
            _option(reading, name, None)


def _takes_value(name: str) -> bool:
    return name in _READS | _WRITES | _LOADS | _HOSTS | _SECRETS | _DATA


def _option(reading: CommandReading, name: str, value: ArgumentWord | None) -> None:
    """One option; of one that is not known, the argument behind it is read as a file besides (as an operand)."""
    if name in _LOADS:
        reading.code(f"-{name}")
    elif name in _SERVES:
        reading.use("r", literal("."))
    elif value is None:
        if name not in _FLAGS and name.endswith("out"):
            reading.use("w", None)
    elif name in _WRITES:
        reading.use("w", value)
    elif name in _HOSTS:
        reading.contact("url", value)
    elif name in _SECRETS:
        reading.guard(value, ("file:", "env:", "fd:"), "would name where a password lies", NEVER)
        if value.head.startswith("file:"):
            reading.use("r", value.after(5))
        elif name == "kfile":
            reading.use("r", value)
    elif name not in _DATA:
        reading.use("r", value)
        reading.contact("maybe", value)
