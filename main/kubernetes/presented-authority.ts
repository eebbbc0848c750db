import { X509Certificate } from 'node:crypto';
import { TLSSocket } from 'node:tls';
import { splitPem } from '../domain/credential/split-pem.ts';
import type { LoadedCluster } from '../ports/config-store.ts';
import type { ClusterReach } from './cluster-reach.ts';
import { openAnswer, readPieces } from './open-answer.ts';

/** Where kubeadm publishes the cluster’s CA for whoever joins: everyone may read it. */
const clusterInfo = '/api/v1/namespaces/kube-public/configmaps/cluster-info';
const answerBytes = 256 * 1024;

/**
 * The CA that a server states itself, in PEM: the end of the chain that it sends, or the one of kubeadm’s cluster-info
 * that issued its certificate. Null: it states none. Proves nothing: only for a user who compares its fingerprint.
 * Sends no credential. Throws HttpFailure.
 */
export async function presentedAuthority(
  cluster: LoadedCluster,
  reach: ClusterReach,
  signal: AbortSignal,
): Promise<string | null> {
  let top: X509Certificate | null = null;
  const unverified = {
    ...cluster,
    config: { ...cluster.config, insecureSkipTlsVerify: true },
    certificateAuthorityPem: null,
  };
  const onSecured = (socket: unknown) => {
    top = socket instanceof TLSSocket ? lastOf(socket) : null;
  };
  const answer = await openAnswer(
    unverified,
    reach,
    { method: 'GET', path: clusterInfo, credential: null, onSecured },
    signal,
  ).catch((error: unknown) => {
    // What a gateway answers in place of the server changes nothing about the certificate.
    if (top === null) {
      throw error;
    }
    return null;
  });
  try {
    const text =
      answer?.status === 200 ? (await readPieces(answer.pieces, answerBytes)).toString('utf8') : '';
    return top && (issues(top, top) ? String(top) : statedIn(text, top));
  } finally {
    answer?.end();
  }
}

/** The last certificate of the chain that the server sent. */
function lastOf(socket: TLSSocket): X509Certificate | null {
  let last = socket.getPeerX509Certificate() ?? null;
  for (let count = 0; last?.issuerCertificate && count < 10; count++) {
    last = last.issuerCertificate;
  }
  return last;
}

function statedIn(answer: string, top: X509Certificate): string | null {
  const [, data = ''] = /certificate-authority-data:\s*([A-Za-z0-9+/=]+)/.exec(answer) ?? [];
  const { certificates } = splitPem(Buffer.from(data, 'base64').toString('utf8'));
  return certificates.find((pem) => isIssuer(pem, top)) ?? null;
}

function isIssuer(pem: string, of: X509Certificate): boolean {
  try {
    return issues(new X509Certificate(pem), of);
  } catch {
    return false; // no certificate, or one with a key that can’t be read
  }
}

function issues(issuer: X509Certificate, of: X509Certificate): boolean {
  return of.checkIssued(issuer) && of.verify(issuer.publicKey);
}
