import { readAwsProfile } from '../../accounts/aws-profile-files.ts';
import { createSecretFileReader } from '../../accounts/secret-file.ts';
import type { AwsAddDeps } from '../../doors/cli/accounts/account-add-aws.ts';
import {
  accountAddCommand,
  accountListCommand,
  accountRemoveCommand,
} from '../../doors/cli/accounts/account-commands.ts';
import { loginCommand } from '../../doors/cli/accounts/login-commands.ts';
import { logoutCommand } from '../../doors/cli/accounts/logout-command.ts';
import { pluginListCommand, pluginShowCommand } from '../../doors/cli/accounts/plugin-commands.ts';
import { secretSetCommand } from '../../doors/cli/accounts/secret-command.ts';
import type { Command } from '../../doors/cli/command.ts';
import { pkcs11ListCommand } from '../../doors/cli/pkcs11/list-command.ts';
import { installedModules } from '../../operations/pkcs11/installed-modules.ts';
import { type Areas, forgetWithAnswers } from '../areas.ts';

export function accountCommands(areas: Areas): [string, Command][] {
  const { config, vault, clock, browser, environment } = areas.deps;
  const { bindings, programs, serving, look } = areas.served;
  const { recorder } = areas.records;
  const { directory, logins, grants, listModule } = areas.credentials;
  const { gate } = areas.locking;
  const { status } = areas;
  const forget = (name: string) => grants.forget(name);
  const files = createSecretFileReader();
  const awsProfile: AwsAddDeps['awsProfile'] = (profile, credentialsFile) =>
    readAwsProfile(profile, credentialsFile, { files, environment });
  const tokens = { environment, list: listModule, clock };
  const edits = { config, bindings, vault, status, recorder, look, awsProfile, tokens, onRemoved: forget };
  const plugins = { config: serving, reader: areas.plugins, clock };
  return [
    ['login', loginCommand({ directory, logins, gate })],
    [
      'logout',
      logoutCommand({
        gate,
        browser,
        directory,
        logins,
        recorder,
        grants: { forget: (name) => forgetWithAnswers(areas, name) },
      }),
    ],
    ['account add', accountAddCommand(edits)],
    ['account list', accountListCommand(edits)],
    ['account remove', accountRemoveCommand(edits)],
    ['secret set', secretSetCommand({ config: serving, vault, clock, recorder, onChanged: forget })],
    [
      'pkcs11 list',
      pkcs11ListCommand({
        ...tokens,
        ...{ config: serving, vault, programs, gate, directory, look },
        installed: () => installedModules(),
      }),
    ],
    ['plugin list', pluginListCommand(plugins)],
    ['plugin show', pluginShowCommand(plugins)],
  ];
}
