import { readFileSync } from 'node:fs';
import https from 'node:https';
import { parse } from 'yaml';
import { credentialIn, type Stage } from './stage.ts';

/** A kubeconfig’s cluster. */
export type StatedCluster = Record<string, string>;

/** What a kubeconfig says of a cluster. */
export function statedIn(kubeconfig: string, name: string): StatedCluster {
  const { clusters } = parse(readFileSync(kubeconfig, 'utf8'));
  return clusters.find((each: { name: string }) => each.name === name)?.cluster ?? {};
}

/** The way in of this process, as the helper gives it to a client. */
export async function wayIn(
  stage: Stage,
  account: string,
  name: string,
  kubeconfig: string,
): Promise<string> {
  const info = { ...stage.execInfo(), spec: { interactive: false, cluster: statedIn(kubeconfig, name) } };
  return credentialIn(await stage.ask(account, info, { args: ['--cluster', name] })).token ?? '';
}

/** Status and text of a request with this token, or the code of what broke the connection. */
export function answerTo({ server = '', ...stated }: StatedCluster, token: string): Promise<string> {
  const ca = Buffer.from(stated['certificate-authority-data'] ?? '', 'base64');
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}` };
    https
      .get(`${server}/version`, { ca, headers, agent: false }, (response) => {
        let text = `${response.statusCode} `;
        response.on('data', (data) => {
          text += String(data);
        });
        response.on('end', () => resolve(text));
      })
      .on('error', (error) => resolve('code' in error ? String(error.code) : error.message));
  });
}
