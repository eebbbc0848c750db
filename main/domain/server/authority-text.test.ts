import { describe, expect, it } from 'vitest';
import { Secret } from '../../base/secret.ts';
import { cluster as clusterSchema } from '../../contract/config/cluster.ts';
import { formText } from '../approval/approved-form.ts';
import { clusterShape, entryChanges } from '../approval/binding.ts';
import { planImport } from '../import/index.ts';
import { importOptions, kubeCluster, kubeconfig, kubeUser } from '../import/testing/kube.ts';
import type { LoadedCluster } from '../loaded-config.ts';
import { noEntries, noTexts } from '../testing/no-entries.ts';
import { authorityTexts } from './authority-text.ts';
import { newCluster } from './new-cluster.ts';

/** CAs, and what `openssl x509 -fingerprint -sha256 -enddate -dateopt iso_8601` prints of them. */
const cas = [
  {
    name: 'one',
    fingerprint:
      '56:9C:86:DF:11:4B:CA:C2:96:93:4E:8C:3F:99:17:1C:2F:11:CA:FE:94:63:84:33:AB:44:D5:90:59:02:1B:D4',
    day: '2126-11-05',
    pem: `-----BEGIN CERTIFICATE-----
MIIBcjCCARmgAwIBAgIUD2yF1B57auJSuo7ldBZVnSidFt0wCgYIKoZIzj0EAwIw
DjEMMAoGA1UEAwwDb25lMCAXDTI2MTEyOTEzNTI0NFoYDzIxMjYxMTA1MTM1MjQ0
WjAOMQwwCgYDVQQDDANvbmUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQ3e6jc
G3akHqdUhHLV0Ugf5QJDCzjjLHr5Vv2xl+V62Dcy2nG/ekCBjvz+qsuT8Wf3eTKB
1Sg0FCEBeJ3LX/nzo1MwUTAdBgNVHQ4EFgQUNU1VCbgEHOhEDlU2aYndW1P3N0ww
HwYDVR0jBBgwFoAUNU1VCbgEHOhEDlU2aYndW1P3N0wwDwYDVR0TAQH/BAUwAwEB
/zAKBggqhkjOPQQDAgNHADBEAiAyK16DiPKoEUxVs/sU5QnfpeqVdrrksHsP0TeT
Y36NFgIgcXFarvUoUQEkgQI9rFbtf4oqogaRcHuVWnx5J2ANSXg=
-----END CERTIFICATE-----
`,
  },
  {
    name: 'two',
    fingerprint:
      'BB:55:0B:AD:0D:34:16:75:53:65:CD:6B:4F:E0:87:F7:FE:FF:53:99:60:18:1B:90:60:FF:85:7A:EE:05:23:C8',
    day: '2126-11-05',
    pem: `-----BEGIN CERTIFICATE-----
MIIBczCCARmgAwIBAgIULjxHutdc6kbQQetHmZIunCNpuqUwCgYIKoZIzj0EAwIw
DjEMMAoGA1UEAwwDdHdvMCAXDTI2MTEyOTEzNTI0NFoYDzIxMjYxMTA1MTM1MjQ0
WjAOMQwwCgYDVQQDDAN0d28wWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAR4/XF7
gC7PMextQ9G7O7RpGS/pKYbI+Qbj9Mop3wYB6X9dZ+wyclDTTSkfRAKyz+z0H8Oq
6Sgr5J75zr/sZT+Ho1MwUTAdBgNVHQ4EFgQU6poTR8hEX7dsGYta9v42nQ5LFEgw
HwYDVR0jBBgwFoAU6poTR8hEX7dsGYta9v42nQ5LFEgwDwYDVR0TAQH/BAUwAwEB
/zAKBggqhkjOPQQDAgNIADBFAiBySdWHTQXM98hHCd2Fr+EO6fimLVL9MCmZzkQo
FS2jZgIhAOREWbjReTSVVWbfCqr8oc51PVw40aKBBhwwXida9Mae
-----END CERTIFICATE-----
`,
  },
  {
    name: 'three',
    fingerprint:
      '5F:CA:91:2B:F9:DA:03:83:9E:D8:1F:CE:A7:87:AE:6D:1E:12:95:A5:D4:44:FC:20:32:8D:1F:BD:DB:F1:8B:33',
    day: '2126-11-05',
    pem: `-----BEGIN CERTIFICATE-----
MIIBdzCCAR2gAwIBAgIUYqrQwpAbehWCi+x705gKitoJc5IwCgYIKoZIzj0EAwIw
EDEOMAwGA1UEAwwFdGhyZWUwIBcNMjYxMTI5MTM1MjQ0WhgPMjEyNjExMDUxMzUy
NDRaMBAxDjAMBgNVBAMMBXRocmVlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE
O9F2axF3h2fU1PHFu4yaz5STSun/SBsZbjvTTmMH6XC84I0KiogAGXWQtXfyXXRX
8G3qm3AEgA0FxYfNJj7VL6NTMFEwHQYDVR0OBBYEFJGIVHaulu3W6ZhfyWr4/SIi
jvErMB8GA1UdIwQYMBaAFJGIVHaulu3W6ZhfyWr4/SIijvErMA8GA1UdEwEB/wQF
MAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIhAO8b4FVunW64ghSAV7xdLgkeVpdmxDlL
jy0y3yuwtK1MAiBI1JMHQsaJSUhFB8Sn43B44GkEMugY/AHzEIa4uUEgIA==
-----END CERTIFICATE-----
`,
  },
] as const;
const [first, second] = cas;
const bundle = cas.map(({ pem }) => pem).join('');

const aCluster = (pem: string): LoadedCluster => ({
  name: 'prod',
  config: clusterSchema.parse({ server: 'https://prod', account: 'corp' }),
  certificateAuthorityPem: pem,
});

describe('a CA has one fingerprint everywhere, openssl’s, with subject and expiry', () => {
  const texts = cas.map(({ name, fingerprint, day }) => `SHA-256 ${fingerprint}, CN=${name}, expires ${day}`);

  it('each certificate of a bundle is listed, once', () => {
    expect(authorityTexts(bundle + bundle)).toEqual(texts);
    expect(authorityTexts(null)).toEqual(['the system’s CAs']);
  });

  it('in the plan of an import', () => {
    const certificateAuthority = { path: null, ok: true as const, pem: bundle };
    const merged = kubeconfig(
      [kubeUser('bot', { token: new Secret('t') })],
      [kubeCluster('bot', { certificateAuthority })],
    );
    const [question] = planImport(importOptions(merged)).questions;
    expect(question?.lines).toEqual([
      'bot at https://bot.example.com:6443:',
      ...texts.map((each) => `  CA ${each}`),
    ]);
  });

  it('in the difference that is approved: those that come and go, not those that stay', () => {
    const before = aCluster(first.pem);
    const approved = { ...noTexts, clusters: { prod: clusterShape(before) } };
    const forms = { ...noTexts, clusters: { prod: formText(before) } };
    const entries = (pem: string) => ({ ...noEntries, clusters: new Map([['prod', aCluster(pem)]]) });
    const lines = (pem: string) => entryChanges(entries(pem), { ...approved, forms })[0]?.lines;
    expect(lines(first.pem + second.pem)).toEqual([`+ certificateAuthority: ${texts[1]}`]);
    expect(lines(second.pem)).toEqual([
      `- certificateAuthority: ${texts[0]}`,
      `+ certificateAuthority: ${texts[1]}`,
    ]);
    // Of an older vault the CA itself isn't known.
    const [change] = entryChanges(entries(second.pem), approved);
    expect(change?.lines).toEqual([
      expect.stringMatching(/^- certificateAuthority: sha256:/),
      `+ certificateAuthority: ${texts[1]}`,
    ]);
  });

  it('in the question about an unknown server', () => {
    const told = {
      server: 'https://new',
      certificateAuthorityPem: first.pem,
      tlsServerName: null,
      insecureSkipTlsVerify: false,
      proxyUrl: null,
    };
    const made = newCluster(told as never, 'corp');
    const { fingerprint, day } = first;
    expect(made).toMatchObject({ authority: [{ fingerprint, subject: 'CN=one', expires: day }] });
  });
});
