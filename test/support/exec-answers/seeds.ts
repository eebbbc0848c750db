import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const v1 = 'client.authentication.k8s.io/v1';
export const v1beta1 = 'client.authentication.k8s.io/v1beta1';

/** What a plugin printed, and the version that its configuration names. */
export interface PrintedAnswer {
  name: string;
  apiVersion: typeof v1 | typeof v1beta1;
  stdout: Buffer;
}

/** Made once, for a hundred years: of each kind of key a certificate that it signed itself. */
export function pairOf(kind: 'ec' | 'rsa' | 'ed25519' | 'secp256k1') {
  const text = readFileSync(join(import.meta.dirname, 'pairs', `${kind}.pem`), 'utf8');
  const at = text.indexOf('-----BEGIN PRIVATE KEY');
  return { certificate: text.slice(0, at), key: text.slice(at) };
}

/** The key of a pair in its older form, in a block that is called so. */
export function olderKey(kind: 'ec' | 'rsa', called: string): string {
  const key = createPrivateKey(pairOf(kind).key);
  const pem = key.export({ format: 'pem', type: kind === 'ec' ? 'sec1' : 'pkcs1' }).toString();
  return pem.replaceAll(/(BEGIN|END) [A-Z ]+-----/g, `$1 ${called}-----`);
}

const end = '2126-03-01T01:02:03Z';
const token = 'k8s-token-0123456789abcdef';

function json(status: unknown, fields: object = {}, indent?: number): string {
  return JSON.stringify({ apiVersion: v1, kind: 'ExecCredential', status, ...fields }, null, indent);
}

function pairStatus(kind: 'ec' | 'rsa' | 'ed25519', key?: string) {
  const pair = pairOf(kind);
  return { clientCertificateData: pair.certificate, clientKeyData: key ?? pair.key };
}

function indented(pem: string): string {
  return pem.trimEnd().replaceAll(/^/gm, '    ');
}

/** Answers as plugins print them, and as client-go takes them. */
export function seeds(): PrintedAnswer[] {
  const head = `apiVersion: ${v1}\nkind: ExecCredential\n`;
  const { certificate, key } = pairOf('ec');
  const texts: Record<string, string> = {
    token: json({ token }),
    'token and end': json({ token, expirationTimestamp: end }),
    'on lines': `${json({ expirationTimestamp: end, token }, { spec: { interactive: false } }, 2)}\n`,
    'with a cluster': json(
      { token },
      { spec: { cluster: { server: 'https://a', 'certificate-authority-data': 'AAAA', config: { a: 1 } } } },
    ),
    nulls: json({ token, expirationTimestamp: null, clientKeyData: null, clientCertificateData: null }),
    'a split status': `{"apiVersion":"${v1}","status":{"token":"${token}"},"kind":"ExecCredential","status":{"expirationTimestamp":"${end}"}}`,
    'names in any case': `{"Kind":"ExecCredential","apiversion":"${v1}","status":{"token":"${token}"}}`,
    'no kind': `{"apiVersion":"${v1}","status":{"token":"${token}","expirationTimestamp":"${end}"}}`,
    'EC pair': json({ ...pairStatus('ec'), expirationTimestamp: end }),
    'EC pair and token': json({ token, ...pairStatus('ec', olderKey('ec', 'EC PRIVATE KEY')) }),
    'SEC1 as PRIVATE KEY': json(pairStatus('ec', olderKey('ec', 'PRIVATE KEY'))),
    'RSA pair': json(pairStatus('rsa')),
    'PKCS#1 as PRIVATE KEY': json(pairStatus('rsa', olderKey('rsa', 'PRIVATE KEY'))),
    'Ed25519 pair': json(pairStatus('ed25519'), {}, 1),
    'a chain': json({ clientCertificateData: certificate + pairOf('rsa').certificate, clientKeyData: key }),
    'one PEM for both': json({ clientCertificateData: certificate + key, clientKeyData: certificate + key }),
    'lines with spaces': json({
      clientCertificateData: certificate.replaceAll('\n', ' \t\r\n'),
      clientKeyData: key,
    }),
    YAML: `${head}status:\n  token: ${token}\n  expirationTimestamp: ${end}\n`,
    'YAML in quotes': `---\n${head}status:\n  token: "${token}"\n  expirationTimestamp: '${end}'\n...\n`,
    'YAML in braces': `kind: ExecCredential\napiVersion: ${v1}\nstatus: {token: ${token}, expirationTimestamp: "${end}"}\n`,
    'YAML with comments': `# made by a plugin\n${head}spec: {} # none\nstatus:\n  # the token\n  token: ${token}\n`,
    'YAML blocks': `${head}status:\n  clientCertificateData: |\n${indented(certificate)}\n  clientKeyData: |\n${indented(key)}\n`,
    'YAML that is merged': `base: &base {token: ${token}}\n${head}status:\n  <<: *base\n  expirationTimestamp: ${end}\n`,
    'YAML with tags': `${head}status:\n  token: !!str ${token}\n  expirationTimestamp: !!timestamp ${end}\n`,
    'YAML in two documents': `${head}status: {token: ${token}}\n---\nkind: Other\n`,
    'folded YAML': `${head}status:\n  token: >-\n    ${token}\n  expirationTimestamp:\n    ${end}\n`,
  };
  const all = Object.entries(texts).map(([name, text]) => ({ name, text }));
  const marked = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(json({ token }), 'utf16le')]);
  return [
    ...all.map(({ name, text }): PrintedAnswer => ({ name, apiVersion: v1, stdout: Buffer.from(text) })),
    {
      name: 'v1beta1',
      apiVersion: v1beta1,
      stdout: Buffer.from(json({ token, expirationTimestamp: end }, { apiVersion: v1beta1 })),
    },
    { name: 'UTF-16', apiVersion: v1, stdout: marked },
    { name: 'UTF-16, big end first', apiVersion: v1, stdout: Buffer.from(marked).swap16() },
  ];
}
