import { parseImagePattern } from '../../../domain/image/image-pattern.ts';
import { whyNot } from '../../../domain/image/why-not.ts';
import { styled } from '../../../domain/text/style.ts';
import type { Directory } from '../../../ports/broker-core.ts';
import { refusalAnswer } from '../../../ports/door.ts';
import { type Command, done, json, parseWords, table } from '../command.ts';
import { heading } from '../status/state-text.ts';
import { imageOf } from './image-name.ts';

export interface ImageCommandDeps {
  directory: Pick<Directory, 'registries' | 'registryPatterns' | 'registry'>;
}

/** `lanyard image why IMAGE [--json]`: each pattern, and why it matches or not. */
export function imageWhyCommand({ directory }: ImageCommandDeps): Command {
  return async (call) => {
    const { positionals, values } = parseWords('image why', call.args, ['IMAGE'], {
      json: { type: 'boolean' },
    });
    const parsed = imageOf(positionals[0] ?? '');
    if (!parsed.ok) {
      return refusalAnswer(parsed);
    }
    const { image } = parsed;
    const registries = directory.registries();
    const chosen = directory
      .registryPatterns()
      .find(image)
      .find(({ registry }) => registry.config.calledAs === undefined);
    const usable = chosen && directory.registry(chosen.registry.name);
    const patterns = registries.flatMap(({ name, config }) =>
      config.matchImages.map((text) => {
        const pattern = parseImagePattern(text);
        const why = pattern.ok ? whyNot(pattern.pattern, image) : pattern.message;
        return {
          registry: name,
          pattern: text,
          account: config.account,
          matches: why === null,
          chosen: chosen?.registry.name === name && chosen.pattern === text,
          why: why ?? whyMatched(config.calledAs),
        };
      }),
    );
    const problem = usable && !usable.ok ? usable.message : null;
    if (values.json) {
      return done(
        json({
          image,
          registry: chosen?.registry.name ?? null,
          account: chosen?.registry.config.account ?? null,
          problem,
          patterns,
        }),
      );
    }
    const answer = chosen
      ? `${image} gets the credential of ${styled.bold(chosen.registry.config.account)} (registry ${chosen.registry.name}, pattern ${chosen.pattern}).`
      : `${image} gets no credential: no registry has a pattern for it.`;
    const rows = patterns.map((each) => [
      each.registry,
      each.pattern,
      each.chosen ? styled.bold('used') : each.matches ? 'matches' : 'no',
      each.chosen && problem !== null
        ? problem
        : each.chosen
          ? ''
          : each.matches
            ? each.why || 'another pattern is closer'
            : each.why,
    ]);
    return done(
      rows.length === 0
        ? `${answer}\nTo add a registry, see: lanyard help registry add`
        : `${answer}\n\n${table([heading('REGISTRY', 'PATTERN', 'MATCH', 'WHY'), ...rows])}`,
    );
  };
}

function whyMatched(calledAs: string | undefined): string {
  return calledAs === undefined ? '' : `only for docker-credential-lanyard-${calledAs}`;
}
