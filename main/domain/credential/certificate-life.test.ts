import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  createCa,
  createIntermediateCa,
  issueClientCertificate,
} from '../../../test/support/certificates.ts';
import { certificateLife, orderChain } from './certificate-life.ts';

test('KEP-541/certificates, KEP-541/expiry: the life and the name of a certificate', async () => {
  const notBefore = new Date('2030-01-02T03:04:05Z');
  const notAfter = new Date('2030-02-02T03:04:05Z');
  const ca = await createCa('Test CA');
  const leaf = await issueClientCertificate(ca, {
    commonName: 'alice',
    organizations: ['dev'],
    notBefore,
    notAfter,
  });
  expect(certificateLife(new X509Certificate(leaf.chainPem))).toEqual({
    issuedAt: notBefore.getTime(),
    expiresAt: notAfter.getTime(),
    subject: 'alice',
  });
});

test('KEP-541/certificates: a chain is put in the order TLS wants, each certificate once', async () => {
  const root = await createCa('Root');
  const upper = await createIntermediateCa(root, 'Upper');
  const lower = await createIntermediateCa(upper, 'Lower');
  const stranger = await createCa('Stranger');
  const issued = await issueClientCertificate(root, { commonName: 'alice', intermediate: lower });
  const [leaf, rootOne, upperOne, lowerOne, strangerOne] = [issued, root, upper, lower, stranger].map(
    (one) => new X509Certificate(one.certificatePem),
  ) as [X509Certificate, X509Certificate, X509Certificate, X509Certificate, X509Certificate];
  const chain = orderChain(leaf, [strangerOne, upperOne, leaf, lowerOne, upperOne, rootOne]);
  expect(chain.map((one) => one.subject)).toEqual([
    'CN=alice',
    'CN=Lower',
    'CN=Upper',
    'CN=Root',
    'CN=Stranger',
  ]);
});
