"""Which machine an address names: one spelling, and UNKNOWN wherever programs would not agree."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from operation_samples import operation, requests

from sluicegate.flow.operations import hosts_of, of_url, sketch
from sluicegate.flow.operations.hosts import host


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("https://Example.COM/x", "example.com"), ("https://example.com.", "example.com"), ("https://example.com:8443/", "example.com"), ("http://me:pw@example.com/", "example.com"),
        ("example.com/x", "example.com"), ("https://[::1]:80/", "::1"), ("https://[::ffff:127.0.0.1]/", "127.0.0.1"), ("http://127.0.0.1/", "127.0.0.1"), ("http://2130706433/", "127.0.0.1"),
        ("http://0x7f.1/", "127.0.0.1"), ("http://0177.0.0.1/", "127.0.0.1"), ("http://127.1/", "127.0.0.1"), ("http://bücher.example/", "xn--bcher-kva.example"), ("http://ｅxample.com/", "example.com"),
        ("https://a.b?x=@c.d", ""), ("https://a.b/x@c.d", "a.b"), ("https://a.b#@c.d", ""), ("https://a.b\\@c.d/", ""), ("https://a@b@c/", ""), ("https://a b/", ""), ("https://%65xample.com/", ""),
        ("https://{a,b}.com/", ""), ("https:///x", ""), ("https://a.b:80x/", ""), ("https://a..b/", ""), ("https://-a.b/", ""), ("https://256.1.1.1/", ""), ("https://[::1/", ""), ("https://a.b\n.c/", ""),
        ("", ""), ("https:/a.b/", ""), ("https:a.b", ""), ("HTTP:\\\\a.b/", ""), ("wss:/a.b", ""), ("httpd:80", "httpd"), ("ftp.a.b:21/x", "ftp.a.b"),
    ],
)  # fmt: skip
def test_an_address_has_one_host_or_none_that_is_certain(text, found):
    assert of_url(text) == found


@pytest.mark.parametrize(
    ("form", "text", "found"),
    [
        ("url", "file:///etc/passwd", ()), ("urls", "https://a[1-3].b/", ("",)), ("urls", "https://[::1]/x", ("::1",)), ("remote", "me@host:/x", ("host",)), ("remote", "host:x", ("host",)),
        ("remote", "./a:b", ()), ("remote", "a/b:c", ()), ("remote", "rsync://h/x", ("h",)), ("remote", "[::1]:x", ("::1",)), ("remote", "a b:c", ("",)), ("git", "origin", ()), ("git", "git@h.x:a/b", ("h.x",)),
        ("git", "foo::bar", ("",)), ("git", "ssh://h.x/a", ("h.x",)), ("jump", "a.b,me@c.d:22", ("a.b", "c.d")), ("host", "me@a.b", ("a.b",)), ("host", "a.b", ("a.b",)), ("maybe", "notes.md", ()),
        ("maybe", "http://a.b", ("a.b",)), ("maybe", "me@a.b:x", ("a.b",)), ("name", "a.b", ("a.b",)), ("name", "A", ()), ("name", "@8.8.8.8", ("8.8.8.8",)), ("address", "a.b:80,fork", ("a.b",)), ("unknown", "x", ("",)),
        ("proxy", "socks5://p.q:1", ("p.q",)), ("proxy", "p.q:1", ("p.q",)),
        ("urls", "https:/a.b/", ("",)), ("maybe", "https:/a.b/", ("",)), ("maybe", "http:\\a.b", ("",)), ("maybe", "https: fixed", ()), ("git", "https:/a.b/c", ("",)), ("package", "http:/a.b/c.tgz", ("",)),
    ],
)  # fmt: skip
def test_each_form_of_address_is_read_as_its_program_does(form, text, found):
    assert hosts_of(form, text) == found


_FORMS = ["url", "urls", "remote", "git", "jump", "host", "maybe", "name", "address", "proxy", "unknown"]


@given(st.sampled_from(_FORMS), st.text(max_size=25) | st.text(alphabet="a.:/@[]%0x1", max_size=25))
def test_any_text_names_hosts_that_are_plain_or_unknown(form, text):
    assert all(found == "" or host(found) == found or ":" in found for found in hosts_of(form, text))


@given(st.text(max_size=20))
def test_a_host_is_plain_or_unknown(text):
    found = host(text)
    assert found == found.lower()
    assert not set(found) & set("/@ \\?#%[]{}\n\t")
    assert host(found) == found


@pytest.mark.parametrize(
    ("text", "hosts"),
    [
        ("curl https://a.b/x http://c.d", ("a.b", "c.d")),
        ("curl -x proxy:3128 https://a.b", ("proxy", "a.b")),
        ("curl --resolve a.b:443:1.2.3.4 https://a.b", ("", "a.b")),
        ("wget -q https://a.b/x", ("a.b",)),
        ("git clone https://a.b/x", ("a.b",)),
        ("git push origin main", ()),
        ("git remote add up git@a.b:x", ("a.b",)),
        ("ssh -J j.k me@a.b ls", ("j.k", "a.b")),
        ("ssh -L 1:c.d:2 a.b ls", ("", "a.b")),
        ("ssh -o Hostname=c.d a.b ls", ("c.d", "a.b")),
        ("scp x a.b:y", ("a.b",)),
        ("nc a.b 80", ("a.b",)),
        ("socat - TCP:a.b:80", ("a.b",)),
        ("pip install -i https://a.b/simple x", ("a.b",)),
        ("frobnicate --to=https://a.b/x", ("a.b",)),
        ("psql -h a.b", ("a.b",)),
    ],
)
def test_the_hosts_of_a_command_are_known(text, hosts):
    assert requests(text)[0].hosts == hosts


def test_a_value_decides_the_host_only_where_the_template_leaves_it_open():
    fixed, opened = "curl https://a.b/{x}", "curl https://a.b{x}"
    assert sketch(operation(fixed, {"x": "1"}))[0].hosts == ("a.b",)
    assert sketch(operation(opened, {"x": "1"}))[0].hosts == ("",)
    assert requests(opened, x=".evil.com/")[0].hosts == ("a.b.evil.com",)
    assert requests(opened, x="@evil.com")[0].hosts == ("evil.com",)
    assert requests(fixed, x="@evil.com")[0].hosts == ("a.b",)
