import { styled } from '../../../domain/text/style.ts';
import { imageWhy } from '../../../operations/image-why.ts';
import type { Directory } from '../../../ports/broker-core.ts';
import { refusalAnswer } from '../../../ports/door.ts';
import { type Command, done, json, parseWords } from '../command.ts';
import { heading } from '../status/state-text.ts';
import { table } from '../table.ts';

export interface ImageCommandDeps {
  directory: Pick<Directory, 'registries' | 'registryPatterns' | 'registry' | 'account'>;
}

/** `lanyard image why IMAGE [--json]`: each pattern, and why it matches or not. */
export function imageWhyCommand({ directory }: ImageCommandDeps): Command {
  return async (call) => {
    const { positionals, values } = parseWords('image why', call.args, ['IMAGE'], {
      json: { type: 'boolean' },
    });
    const answered = await imageWhy(positionals[0] ?? '', directory);
    if (!answered.ok) {
      return refusalAnswer(answered);
    }
    const { image, chosen, problem, patterns } = answered.why;
    if (values.json) {
      return done(
        json({
          image,
          registry: chosen?.registry ?? null,
          account: chosen?.account ?? null,
          problem,
          patterns,
        }),
      );
    }
    const now = problem === null ? 'gets' : 'would get';
    const answer = chosen
      ? `${image} ${now} the credential of ${styled.bold(chosen.account)} (registry ${chosen.registry}, pattern ${chosen.pattern}).${problem === null ? '' : `\n${styled.yellow('Not now')}: ${problem}`}`
      : `${image} gets no credential in a kubelet: no registry has a pattern for it. docker gets a stored login, if there is one.`;
    const rows = patterns.map((each) => [
      each.registry,
      each.pattern,
      each.chosen ? styled.bold('used') : each.matches ? 'matches' : 'no',
      each.why,
    ]);
    return done(
      rows.length === 0
        ? `${answer}\nTo add a registry, see: lanyard help registry add`
        : `${answer}\n\n${table([heading('REGISTRY', 'PATTERN', 'MATCH', 'WHY'), ...rows])}`,
    );
  };
}
