import { z } from 'zod';
import { awsAccount, awsEksAccount, awsProcessAccount } from './aws.ts';
import { execPluginAccount } from './exec-plugin.ts';
import { credentialHelperAccount, credentialProviderAccount } from './image-plugins.ts';
import { clientCertificateAccount, registryAccount, staticTokenAccount } from './kept-credentials.ts';
import { oidcAccount } from './oidc.ts';
import { pkcs11Account } from './pkcs11.ts';
import { requestSignerAccount } from './request-signer.ts';
import { kubeconfigSecretReaderAccount, secretReaderAccount } from './secret-readers.ts';

/** The kinds of account: an account has exactly one of these keys. */
export const accountKinds = {
  oidc: oidcAccount,
  staticToken: staticTokenAccount,
  clientCertificate: clientCertificateAccount,
  execPlugin: execPluginAccount,
  registry: registryAccount,
  credentialProvider: credentialProviderAccount,
  credentialHelper: credentialHelperAccount,
  secretReader: secretReaderAccount,
  kubeconfigSecretReader: kubeconfigSecretReaderAccount,
  aws: awsAccount,
  awsProcess: awsProcessAccount,
  awsEks: awsEksAccount,
  requestSigner: requestSignerAccount,
  pkcs11: pkcs11Account,
} as const;
export type AccountKind = keyof typeof accountKinds;

export const account = z.union([
  z.strictObject({ oidc: oidcAccount }),
  z.strictObject({ staticToken: staticTokenAccount }),
  z.strictObject({ clientCertificate: clientCertificateAccount }),
  z.strictObject({ execPlugin: execPluginAccount }),
  z.strictObject({ registry: registryAccount }),
  z.strictObject({ credentialProvider: credentialProviderAccount }),
  z.strictObject({ credentialHelper: credentialHelperAccount }),
  z.strictObject({ secretReader: secretReaderAccount }),
  z.strictObject({ kubeconfigSecretReader: kubeconfigSecretReaderAccount }),
  z.strictObject({ aws: awsAccount }),
  z.strictObject({ awsProcess: awsProcessAccount }),
  z.strictObject({ awsEks: awsEksAccount }),
  z.strictObject({ requestSigner: requestSignerAccount }),
  z.strictObject({ pkcs11: pkcs11Account }),
]);

export type AccountConfig = z.infer<typeof account>;
