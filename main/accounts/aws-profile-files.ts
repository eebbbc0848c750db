import { join } from 'node:path';
import { type IniSections, readIni } from '../domain/aws/ini.ts';
import { type AwsProfile, awsProfile } from '../domain/aws/profile.ts';
import type { SecretFileReader } from './secret-file.ts';

export interface AwsProfileDeps {
  files: SecretFileReader;
  /** The broker’s, for the user’s home. */
  environment: Readonly<Record<string, string | undefined>>;
}

/** A profile as its files have it now. */
export type ReadProfile =
  | {
      ok: true;
      found: AwsProfile;
      /** The files that were looked at, for messages. */
      looked: string;
      /** The file of static keys, and whether other users may read it; null: it has none. */
      file: { path: string; readByOthers: boolean } | null;
    }
  /** `fault`: a sentence, of which nothing is of the file. */
  | { ok: false; fault: string };

/**
 * A profile of the AWS tools in `~/.aws/credentials` and `~/.aws/config`, or in `credentialsFile` alone. What is unchanged isn’t read
 * again. Only config.yaml and the home choose the files: not the variables of who asks.
 */
export async function readAwsProfile(
  profile: string,
  credentialsFile: string | undefined,
  { files, environment }: AwsProfileDeps,
): Promise<ReadProfile> {
  const home = environment['HOME'] || environment['USERPROFILE'];
  if (credentialsFile === undefined && !home) {
    return { ok: false, fault: 'the home folder with .aws/credentials is not known' };
  }
  const folder = join(home ?? '', '.aws');
  const paths = {
    credentials: credentialsFile ?? join(folder, 'credentials'),
    config: credentialsFile === undefined ? join(folder, 'config') : null,
  };
  const credentials = await readSections(paths.credentials, files);
  const config = paths.config === null ? null : await readSections(paths.config, files);
  for (const read of [credentials, config]) {
    if (read?.kind === 'unusable') {
      return { ok: false, fault: read.fault };
    }
  }
  const found = awsProfile(profile, { credentials: sectionsOf(credentials), config: sectionsOf(config) });
  const isConfigs = found.kind === 'static' && found.file === 'config';
  const read = isConfigs ? config : credentials;
  const path = isConfigs ? (paths.config ?? paths.credentials) : paths.credentials;
  return {
    ok: true,
    found,
    looked: paths.config === null ? paths.credentials : `${paths.credentials} or ${paths.config}`,
    file: found.kind === 'static' && read?.kind === 'read' ? { path, readByOthers: read.readByOthers } : null,
  };
}

type ReadSections =
  | { kind: 'read'; sections: IniSections; readByOthers: boolean }
  | { kind: 'missing' }
  | { kind: 'unusable'; fault: string };

async function readSections(path: string, files: SecretFileReader): Promise<ReadSections> {
  const content = await files.read(path);
  if (!content.ok) {
    return content.problem === 'missing'
      ? { kind: 'missing' }
      : { kind: 'unusable', fault: `${path} ${content.message}` };
  }
  const read = readIni(content.text.reveal());
  return read.ok
    ? { kind: 'read', sections: read.sections, readByOthers: content.readByOthers }
    : { kind: 'unusable', fault: `${path}: line ${read.line} ${read.fault}` };
}

function sectionsOf(read: ReadSections | null): IniSections | null {
  return read?.kind === 'read' ? read.sections : null;
}
