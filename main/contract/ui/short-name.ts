import { replaceInvisible } from '../invisible.ts';

/** How a name is shown: the part that people call it by, and the rest beside it. */
export interface ShortName {
  short: string;
  /** What `short` leaves out: region and account, zone and project, the name itself; null: nothing. */
  detail: string | null;
}

/** A cluster or an account of config.yaml. */
export interface NamedThing {
  name: string;
  /** What the user calls it; null: nothing else. */
  displayName?: string | null;
}

interface NameParts {
  short: string;
  /** The most telling first. */
  parts: readonly string[];
}

/** The names that clouds and tools write into kubeconfigs. Each is taken apart only where it can be read in one way. */
const forms: readonly { form: RegExp; parts: readonly string[] }[] = [
  // aws eks update-kubeconfig: an ARN, in any partition.
  {
    form: /^arn:aws[a-z-]*:eks:(?<region>[a-z0-9-]+):(?<account>\d{12}):cluster\/(?<short>[^/]+)$/,
    parts: ['region', 'account'],
  },
  // gcloud container clusters get-credentials, and fleet memberships get-credentials. No part has an underscore.
  {
    form: /^(?:gke|connectgateway)_(?<project>[^_]+)_(?<zone>[^_]+)_(?<short>[^_]+)$/,
    parts: ['zone', 'project'],
  },
  // eksctl: USER@NAME.REGION.eksctl.io
  { form: /^(?<user>.+)@(?<short>[^@]+)\.(?<region>[^.@]+)\.eksctl\.io$/, parts: ['region', 'user'] },
  // kubeadm: USER@CLUSTER
  { form: /^(?<user>kubernetes-(?:super-)?admin)@(?<short>.+)$/, parts: ['user'] },
  // az aks get-credentials names its users clusterUser_GROUP_NAME. Where a part has an underscore, it isn’t clear which.
  { form: /^(?<user>cluster(?:User|Admin))_(?<group>[^_]+)_(?<short>[^_]+)$/, parts: ['group', 'user'] },
];

/**
 * One name on its own, with all of its parts beside it. In a list use `shortNames`: two names may have the same short
 * one.
 */
export function shortName(thing: NamedThing): ShortName {
  const { short, parts } = partsOf(thing);
  return { short, detail: parts.length === 0 ? null : parts.join(' · ') };
}

/** All names of a list, by name. Where short ones are alike, what tells them apart is kept in them. */
export function shortNames(things: Iterable<NamedThing>): Map<string, ShortName> {
  const all = [...things].map((thing) => ({ name: thing.name, ...partsOf(thing) }));
  const shown = new Map<string, ShortName>();
  const texts = new Set<string>();
  for (const alike of Map.groupBy(all, ({ short }) => foldedName(short)).values()) {
    for (const [name, each] of toldApart(alike)) {
      shown.set(name, each);
      texts.add(foldedName(each.short));
    }
  }
  // A longer text may be another’s name by now: then none is shortened.
  return texts.size === all.length
    ? shown
    : new Map(all.map(({ name }) => [name, { short: name, detail: null }]));
}

type Named = NameParts & { name: string };

function toldApart(alike: readonly Named[]): [string, ShortName][] {
  const [first] = alike;
  if (first && alike.length === 1) {
    return [[first.name, { short: first.short, detail: first.parts.join(' · ') || null }]];
  }
  const most = Math.max(...alike.map(({ parts }) => parts.length));
  const choices: ((each: Named) => readonly string[])[] = [
    () => [],
    ...Array.from({ length: most }, (_, at) => (each: Named) => each.parts.slice(at, at + 1)),
    ({ parts }) => parts,
  ];
  for (const kept of choices) {
    const texts = alike.map((each) => [each.short, ...kept(each)].join(' · '));
    if (new Set(texts.map(foldedName)).size === alike.length) {
      return alike.map((each, at): [string, ShortName] => {
        const rest = each.parts.filter((part) => !kept(each).includes(part));
        return [each.name, { short: texts[at] ?? each.name, detail: rest.join(' · ') || null }];
      });
    }
  }
  return alike.map(({ name }): [string, ShortName] => [name, { short: name, detail: null }]);
}

function partsOf({ name, displayName }: NamedThing): NameParts {
  if (displayName != null && displayName !== name) {
    return { short: displayName, parts: [name] };
  }
  for (const { form, parts } of forms) {
    const groups = form.exec(name)?.groups;
    if (groups) {
      return { short: groups['short'] ?? name, parts: parts.map((part) => groups[part] ?? '') };
    }
  }
  return { short: name, parts: [] };
}

/** Nothing of it looks like something else: most names are this plain, and folding takes long. */
const plain = /^[\x21-\x7e]*$/;

/** For comparing what people see: letters that look alike in Unicode’s compatibility forms, and nothing invisible. */
export function foldedName(text: string): string {
  if (plain.test(text)) {
    return text.toLowerCase();
  }
  return replaceInvisible(text.normalize('NFKC'), () => '')
    .replace(/[\p{M}\s]+/gu, '')
    .toLowerCase();
}
