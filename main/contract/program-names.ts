/** The helper’s name for a kubelet, in its folder of image credential providers (KEP-2133). */
export const firstProviderName = 'lanyard-credential-provider';

/**
 * The name of the provider at `index`, from 0, of those that a kubelet is given. In its configuration a name stands once,
 * and is the program’s: the helper answers to all of them alike.
 */
export function providerName(index: number): string {
  return index === 0 ? firstProviderName : `${firstProviderName}-${index + 1}`;
}

/** The file of one of these names; a kubelet’s configuration names the file. */
export function providerFile(name: string, platform: string): string {
  return platform === 'win32' ? `${name}.exe` : name;
}

export function isProviderName(name: string): boolean {
  return name === firstProviderName || name.startsWith(`${firstProviderName}-`);
}

/** docker runs `docker-credential-NAME` for the credential store NAME. */
export const dockerHelperPrefix = 'docker-credential-';

/** Whether a program, a name or a path, is a credential helper of docker’s by its name. */
export function isDockerHelper(program: string): boolean {
  const name = program.slice(Math.max(program.lastIndexOf('/'), program.lastIndexOf('\\')) + 1);
  return name.toLowerCase().startsWith(dockerHelperPrefix);
}

/** Lanyard’s name as a credential helper: docker runs `docker-credential-lanyard`. */
export const dockerHelperName = 'lanyard';

/**
 * Whether a file of this name is one of Lanyard’s own programs, in whatever letters: as another credential helper it
 * would ask itself.
 */
export function isOwnProgram(fileName: string): boolean {
  const name = fileName.toLowerCase().replace(/\.exe$/, '');
  const own = `${dockerHelperPrefix}${dockerHelperName}`;
  return name === dockerHelperName || name === own || name.startsWith(`${own}-`);
}

/** Kinds of account that run a program, by their key in config.yaml. */
const programKinds: readonly unknown[] = [
  'execPlugin',
  'credentialProvider',
  'credentialHelper',
  'awsProcess',
  'requestSigner',
];

export function runsProgram(kind: unknown): boolean {
  return programKinds.includes(kind);
}
