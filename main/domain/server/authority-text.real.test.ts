import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { type CertificateAuthority, createCa } from '../../../test/support/certificates.ts';
import { onWindows } from '../../../test/support/system.ts';
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

let cas: CertificateAuthority[];
let bundle: string;
beforeAll(async () => {
  cas = await Promise.all(['one', 'two', 'three', 'four', 'five', 'six'].map((name) => createCa(name)));
  bundle = cas.map(({ certificatePem }) => certificatePem).join('');
});

/** What openssl says of it: `AB:CD:…`, and the day on which it ends. */
function byOpenssl(pem: string): { fingerprint: string; day: string } {
  const out = execFileSync(
    'openssl',
    ['x509', '-noout', '-fingerprint', '-sha256', '-enddate', '-dateopt', 'iso_8601'],
    {
      input: pem,
      encoding: 'utf8',
    },
  );
  const [, fingerprint = ''] = /Fingerprint=(\S+)/i.exec(out) ?? [];
  const [, day = ''] = /notAfter=(\S+)/.exec(out) ?? [];
  return { fingerprint, day };
}

const aCluster = (pem: string): LoadedCluster => ({
  name: 'prod',
  config: clusterSchema.parse({ server: 'https://prod', account: 'corp' }),
  certificateAuthorityPem: pem,
});

// openssl isn’t part of Windows, and what is told of a certificate is of no system.
describe.skipIf(onWindows)('a CA has one fingerprint everywhere, openssl’s, with subject and expiry', () => {
  const expected = (ca: CertificateAuthority, name: string) => {
    const { fingerprint, day } = byOpenssl(ca.certificatePem);
    expect(fingerprint).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
    return `SHA-256 ${fingerprint}, CN=${name}, expires ${day}`;
  };
  const names = ['one', 'two', 'three', 'four', 'five', 'six'];
  const all = () => cas.map((ca, index) => expected(ca, names[index] ?? ''));

  it('each certificate of a bundle is listed, once', () => {
    expect(authorityTexts(bundle + bundle)).toEqual(all());
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
      ...all().map((each) => `  CA ${each}`),
    ]);
  });

  it('in the difference that is approved: those that come and go, not those that stay', () => {
    const [first, second] = [cas[0]?.certificatePem ?? '', cas[1]?.certificatePem ?? ''];
    const before = aCluster(first);
    const approved = { ...noTexts, clusters: { prod: clusterShape(before) } };
    const forms = { ...noTexts, clusters: { prod: formText(before) } };
    const entries = (pem: string) => ({ ...noEntries, clusters: new Map([['prod', aCluster(pem)]]) });
    const lines = (pem: string) => entryChanges(entries(pem), { ...approved, forms })[0]?.lines;
    expect(lines(first + second)).toEqual([`+ certificateAuthority: ${all()[1]}`]);
    expect(lines(second)).toEqual([
      `- certificateAuthority: ${all()[0]}`,
      `+ certificateAuthority: ${all()[1]}`,
    ]);
    // Of an older vault the CA itself isn't known.
    const [change] = entryChanges(entries(second), approved);
    expect(change?.lines).toEqual([
      expect.stringMatching(/^- certificateAuthority: sha256:/),
      `+ certificateAuthority: ${all()[1]}`,
    ]);
  });

  it('in the question about an unknown server', () => {
    const pem = cas[0]?.certificatePem ?? '';
    const told = {
      server: 'https://new',
      certificateAuthorityPem: pem,
      tlsServerName: null,
      insecureSkipTlsVerify: false,
      proxyUrl: null,
    };
    const made = newCluster(told as never, 'corp');
    const { fingerprint, day } = byOpenssl(pem);
    expect(made).toMatchObject({ authority: [{ fingerprint, subject: 'CN=one', expires: day }] });
  });
});
