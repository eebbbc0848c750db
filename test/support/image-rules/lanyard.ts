import { Keyring } from '../../../main/domain/image/auth-keys.ts';
import { parseImageName } from '../../../main/domain/image/image-name.ts';
import { imageTarget, matchesImage, parseImagePattern } from '../../../main/domain/image/image-pattern.ts';
import { type ReadProviderConfig, readProviderConfig } from '../../../main/domain/image/provider-config.ts';
import type { Answer, Answers, Files, Question } from './questions.ts';
import { runSession } from './session.ts';

/** What Lanyard’s rules answer. */
export function askLanyard(question: Question): Answer {
  switch (question.op) {
    case 'normalise':
      return normalise(question.image);
    case 'match':
      return match(question.pattern, question.image);
    case 'lookup': {
      const providers = question.keys.map((keys, provider) =>
        keys.map((key, place) => [key, `${provider}.${place}`] as const),
      );
      return [...new Keyring<string>(providers).lookup(question.image)];
    }
    case 'config':
      return configAnswer(readConfig(question.files));
    case 'session': {
      const read = readConfig(question.files);
      return read.ok
        ? { error: '', steps: runSession(read.providers, question.steps) }
        : { error: read.message, steps: null };
    }
  }
}

function normalise(image: string): Answers['normalise'] {
  const parsed = parseImageName(image);
  return parsed.ok
    ? { ...parsed.image, error: '' }
    : { name: '', tag: '', digest: '', error: parsed.message };
}

function match(pattern: string, image: string): Answers['match'] {
  const parsed = parseImagePattern(pattern);
  return parsed.ok
    ? { matched: matchesImage(parsed.pattern, imageTarget(image)), error: '' }
    : { matched: false, error: parsed.message };
}

function readConfig(files: Files): ReadProviderConfig {
  return readProviderConfig(
    Object.entries(files)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, text]) => ({ path, bytes: Buffer.from(text) })),
  );
}

function configAnswer(read: ReadProviderConfig): Answers['config'] {
  if (!read.ok) {
    return { error: read.message, hash: '', providers: null };
  }
  const providers = read.providers.map(
    ({ name, matchImages, defaultCacheMilliseconds, apiVersion, args, env, tokenAttributes: tokens }) => ({
      name,
      matchImages,
      defaultCache: defaultCacheMilliseconds,
      apiVersion,
      args,
      env: env.map((variable) => [variable.name, variable.value] as const),
      tokenAttributes: tokens && {
        audience: tokens.audience,
        cacheType: tokens.cacheType,
        required: tokens.isRequired,
        keys: tokens.requiredAnnotationKeys,
        optional: tokens.optionalAnnotationKeys,
      },
    }),
  );
  return { error: '', hash: read.hash, providers };
}
