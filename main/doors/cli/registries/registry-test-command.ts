import { exitCodes } from '../../../contract/exit-codes.ts';
import { refuse } from '../../../contract/refusal.ts';
import type { RegistryAnswer } from '../../../contract/ui/calls/registries.ts';
import { registryAnswer } from '../../../operations/registry-answer.ts';
import { testedPlace } from '../../../operations/registry-host.ts';
import { refusalAnswer } from '../../../ports/door.ts';
import type { RegistryQuestion, RegistryVerdict } from '../../../registries/registry-question.ts';
import { type RegistryCredentialDeps, registryCredential } from '../../registry-credential.ts';
import type { RegistryPassword } from '../../registry-password.ts';
import { type Command, done, json, parseWords } from '../command.ts';
import { serviceAccountOf, serviceAccountOptions } from '../images/service-account.ts';

export interface RegistryTestDeps extends RegistryCredentialDeps {
  askRegistry(question: RegistryQuestion, signal: AbortSignal): Promise<RegistryVerdict>;
}

/** How long the helper is told to wait for the registry’s answers, in seconds. */
const registrySeconds = 60;

/**
 * `lanyard registry test REGISTRY [IMAGE] [--json] [--service-account-token-file FILE]`: sends the registry’s credential to the registry alone, and says
 * what it answers. The credential is issued as for any other request: approved, and on record before it leaves.
 */
export function registryTestCommand(deps: RegistryTestDeps): Command {
  return async (call) => {
    const { positionals, values } = parseWords('registry test', call.args, ['REGISTRY', '[IMAGE]'], {
      json: { type: 'boolean' },
      ...serviceAccountOptions,
    });
    const [name = '', image = null] = positionals;
    const locked = deps.gate();
    const known = locked ?? deps.directory.registry(name);
    if (!known.ok) {
      return refusalAnswer(known);
    }
    const tested = testedPlace(known.registry, image, deps.directory);
    if (!tested.ok) {
      return refusalAnswer(tested);
    }
    const { place } = tested;
    const serviceAccount = await serviceAccountOf('registry test', call, values);
    let credential: RegistryPassword | null = null;
    let { registry } = known;
    const issued = await registryCredential(
      {
        door: 'cli',
        client: 'docker',
        image: place.asked,
        serviceAccount,
        registry,
        context: call,
        interactive: true,
        format: (password, _, current) => {
          credential = password;
          registry = current;
          // Not printed. On record, an empty answer is one without a credential.
          return password ? place.asked : '';
        },
      },
      deps,
    );
    if (!issued.ok) {
      return refusalAnswer(issued);
    }
    // Only assigned in `format`, which the compiler doesn't follow.
    const found = credential as RegistryPassword | null;
    const { account, tokenServers = [] } = registry.config;
    if (found === null) {
      return refusalAnswer(
        refuse(
          'provider',
          'registry.noCredential',
          `the plugin of ${account} has no credential for ${place.asked}`,
        ),
      );
    }
    call.terminal.extend(registrySeconds);
    const verdict = await deps.askRegistry(
      { host: place.host, image: place.image, credential: found, tokenServers },
      call.signal,
    );
    const used = deps.directory.account(account);
    const answer = registryAnswer(verdict, {
      registry: name,
      account,
      host: place.host,
      image,
      replacedBy: used.ok ? used.account.replacedBy : undefined,
    });
    return answered(answer, values.json === true);
  };
}

function answered(answer: RegistryAnswer, asJson: boolean) {
  const isGood = answer.outcome === 'accepted' || answer.outcome === 'open';
  if (asJson) {
    return { code: isGood ? exitCodes.good : exitCodes.provider, stdout: `${json(answer)}\n` };
  }
  return isGood
    ? done(`${answer.message}.`, answer.hint === null ? undefined : `hint: ${answer.hint}`)
    : refusalAnswer(
        refuse('provider', `registry.${answer.outcome}`, answer.message, answer.hint ?? undefined),
      );
}
