import { loadStated } from '../../../config/draft-account.ts';
import { createCertificateReader } from '../../../domain/credential/certificate-set.ts';
import type { ConfigStore } from '../../../ports/config-store.ts';

/** `ConfigStore.stated` without a file. */
export const stated: ConfigStore['stated'] = (edits) =>
  loadStated(edits, {
    file: '/config.yaml',
    homeDirectory: '/',
    readCertificates: createCertificateReader(),
  });
