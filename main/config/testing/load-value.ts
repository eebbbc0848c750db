import { resolve } from 'node:path';
import { createCertificateReader } from '../../domain/credential/certificate-set.ts';
import { loadConfigText } from '../load.ts';

export const loadOptions = {
  file: resolve('/etc/lanyard/config.yaml'),
  homeDirectory: resolve('/home/u'),
  readCertificates: createCertificateReader(),
};

/** A config.yaml with these keys, and each problem as its severity and text. */
export async function loadValue(value: object) {
  const { config, problems } = await loadConfigText(JSON.stringify({ version: 1, ...value }), loadOptions);
  return { config, problems: problems.map(({ severity, message }) => `${severity} ${message}`) };
}
