export { authorityFilesOf } from './authority-files.ts';
export { type ClassifiedUser, classifyUser, describeUser } from './classify-user.ts';
export { saidOf } from './cluster-entry.ts';
export { kubeloginClientOf } from './kubelogin-account.ts';
export {
  countGivenSecrets,
  holdsSecretArguments,
  plainSecretsOf,
  plainSecretsOfClusters,
} from './plain-secrets.ts';
export { type ImportOptions, planImport } from './plan-import.ts';
export { pluginCommandsOf } from './plugin-commands.ts';
export { alreadyLanyard } from './user-account.ts';
