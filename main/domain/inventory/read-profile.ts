import { hasInvisible } from '../../contract/invisible.ts';
import { labelKeyFaults } from '../image/label-key.ts';
import { shownName } from '../text/shown-name.ts';
import { asObject, displayText, field, type JsonObject, kindOf } from './json-fields.ts';
import { isLabelValue } from './label-value.ts';
import type { Profile, ProfileCondition, ProfileProvider } from './profile.ts';
import {
  longestMessage,
  longestProviderName,
  longestText,
  mostConditions,
  mostLabels,
  mostProblems,
  mostProperties,
  mostProviders,
} from './profile-limits.ts';
import { readProvider } from './read-provider.ts';

export type ReadProfile =
  | { ok: true; profile: Profile }
  /** Why it is no ClusterProfile, in words that continue its name. Its names where they can be read. */
  | { ok: false; fault: string; namespace: string | null; name: string | null };

const group = 'multicluster.x-k8s.io';
const versions = [`${group}/v1alpha1`, `${group}/v1alpha2`];
const kind = 'ClusterProfile';

/** On the namespace today; of old on profiles, too. */
const clustersetLabels = [`${group}/clusterset`, `clusterset.${group}`];
const clustersetProperties = ['clusterset.k8s.io', ...clustersetLabels];
const locationNames = ['location', 'topology.kubernetes.io/region'];
const memberLabel = `${group}/inventory-member-id`;

/**
 * Reads a ClusterProfile of v1alpha1 or v1alpha2 (KEP-4322), of a hub’s list or watch or of a file. Never throws: what
 * can’t be read is a problem of the profile or a fault of one of its providers, and the rest counts. Only what has no
 * name or is of another kind is no profile. `defaultNamespace`: of a file whose object has none.
 */
export function readProfile(
  value: unknown,
  inventory: string,
  defaultNamespace: string | null = null,
): ReadProfile {
  const object = asObject(value);
  const metadata = asObject(field(object, 'metadata'));
  const name = nameOf(
    field(metadata, 'name'),
    /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/,
    253,
  );
  const namespace = nameOf(
    field(metadata, 'namespace') ?? defaultNamespace,
    /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/,
    63,
  );
  const wrong = (fault: string): ReadProfile => ({ ok: false, fault, namespace, name });
  if (object === null) {
    return wrong(`is ${kindOf(value)}, not an object`);
  }
  const apiVersion = field(object, 'apiVersion');
  if (
    field(object, 'kind') !== kind ||
    typeof apiVersion !== 'string' ||
    !apiVersion.startsWith(`${group}/`)
  ) {
    return wrong(`is no ${kind} of ${group}`);
  }
  if (!versions.includes(apiVersion)) {
    return wrong(`has the apiVersion ${shownName(apiVersion)}; supported are ${versions.join(' and ')}`);
  }
  if (name === null) {
    return wrong('has no name that Kubernetes accepts');
  }
  if (namespace === null) {
    return wrong('has no namespace that Kubernetes accepts');
  }
  const problems = new Problems();
  const spec = asObject(field(object, 'spec'));
  const status = asObject(field(object, 'status'));
  if (status === null && field(object, 'status') !== undefined) {
    problems.add('its status is no object');
  }
  const labels = readLabels(field(metadata, 'labels'), problems);
  const properties = readProperties(field(status, 'properties'), problems);
  const providers = readProviders(status, apiVersion === versions[0], problems);
  return {
    ok: true,
    profile: {
      inventory,
      namespace,
      name,
      uid: readUid(field(metadata, 'uid'), problems),
      displayName: displayText(field(spec, 'displayName'), longestText),
      manager: displayText(field(asObject(field(spec, 'clusterManager')), 'name'), longestText),
      version: displayText(field(asObject(field(status, 'version')), 'kubernetes'), longestText),
      clusterset: firstOf(clustersetProperties, properties) ?? firstOf(clustersetLabels, labels),
      location: firstOf(locationNames, properties) ?? firstOf(locationNames, labels),
      memberId: labels.get(memberLabel) || null,
      labels,
      conditions: readConditions(field(status, 'conditions'), problems),
      hasStatus: status !== null,
      providers,
      problems: problems.all,
    },
  };
}

/** A few of them: each is a sentence for display. */
class Problems {
  readonly all: string[] = [];
  add(problem: string): void {
    if (this.all.length < mostProblems) {
      this.all.push(problem);
    }
  }
}

function nameOf(value: unknown, form: RegExp, limit: number): string | null {
  return typeof value === 'string' && value.length <= limit && form.test(value) ? value : null;
}

/** The API server makes a UUID; a file may say anything. */
function readUid(value: unknown, problems: Problems): string | null {
  if (value === undefined || value === '') {
    return null;
  }
  if (typeof value === 'string' && /^[\x21-\x7e]{1,128}$/.test(value)) {
    return value;
  }
  problems.add('its UID can’t be read');
  return null;
}

function readLabels(value: unknown, problems: Problems): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  const object = asObject(value);
  if (object === null) {
    if (value !== undefined) {
      problems.add(`its labels are ${kindOf(value)}`);
    }
    return labels;
  }
  for (const [key, text] of Object.entries(object)) {
    if (typeof text !== 'string' || !isLabelValue(text) || labelKeyFaults(key).length > 0) {
      problems.add(`its label ${shownName(key)} is none that Kubernetes accepts`);
    } else if (labels.size < mostLabels) {
      labels.set(key, text);
    } else {
      problems.add(`it has more than ${mostLabels} labels`);
      break;
    }
  }
  return labels;
}

/** The items of a list of objects. */
function readList(value: unknown, what: string, most: number, problems: Problems): JsonObject[] {
  if (value === undefined) {
    return [];
  }
  if (!Array.isArray(value)) {
    problems.add(`its ${what} are ${kindOf(value)}, not a list`);
    return [];
  }
  if (value.length > most) {
    problems.add(`it has ${value.length} ${what}; the first ${most} are read`);
  }
  return value.slice(0, most).flatMap((each, index) => {
    const object = asObject(each);
    if (object === null) {
      problems.add(`entry ${index + 1} of its ${what} is ${kindOf(each)}`);
    }
    return object === null ? [] : [object];
  });
}

function readProperties(value: unknown, problems: Problems): ReadonlyMap<string, string> {
  const properties = new Map<string, string>();
  for (const each of readList(value, 'properties', mostProperties, problems)) {
    const [name, text] = [field(each, 'name'), displayText(field(each, 'value'), longestText)];
    if (typeof name === 'string' && text !== null && !properties.has(name)) {
      properties.set(name, text);
    }
  }
  return properties;
}

function firstOf(names: readonly string[], values: ReadonlyMap<string, string>): string | null {
  return names.map((name) => values.get(name)).find((value) => value !== undefined && value !== '') ?? null;
}

function readConditions(value: unknown, problems: Problems): ProfileCondition[] {
  return readList(value, 'conditions', mostConditions, problems).flatMap((each) => {
    const type = displayText(field(each, 'type'), longestText);
    const status = field(each, 'status');
    if (type === null || (status !== 'True' && status !== 'False' && status !== 'Unknown')) {
      problems.add('one of its conditions has no type, or no status');
      return [];
    }
    return [
      {
        type,
        status,
        reason: displayText(field(each, 'reason'), longestText) ?? '',
        message: displayText(field(each, 'message'), longestMessage) ?? '',
      },
    ];
  });
}

/** Where both fields name a provider, `accessProviders` counts; `credentialProviders` is of v1alpha1 alone. */
function readProviders(
  status: JsonObject | null,
  isFirstVersion: boolean,
  problems: Problems,
): ProfileProvider[] {
  const providers = new Map<string, ProfileProvider>();
  const listed = (name: string) => readList(field(status, name), name, mostProviders, problems);
  for (const [name, cluster] of namedOnce(listed('accessProviders'), problems)) {
    providers.set(name, readNamed(name, cluster, problems));
  }
  for (const [name, cluster] of namedOnce(isFirstVersion ? listed('credentialProviders') : [], problems)) {
    if (!providers.has(name)) {
      providers.set(name, readNamed(name, cluster, problems));
    }
  }
  return [...providers.values()];
}

function readNamed(name: string, cluster: unknown, problems: Problems): ProfileProvider {
  const path = field(asObject(cluster), 'certificate-authority');
  const data = field(asObject(cluster), 'certificate-authority-data');
  if (path !== undefined && path !== '' && data === undefined) {
    problems.add(`certificate-authority of its provider ${shownName(name)} is a path, and isn’t read`);
  }
  return readProvider(name, cluster);
}

/** The clusters by provider; of two providers with one name the first. */
function namedOnce(entries: readonly JsonObject[], problems: Problems): Map<string, unknown> {
  const clusters = new Map<string, unknown>();
  for (const each of entries) {
    const name = field(each, 'name');
    if (typeof name !== 'string' || name === '' || name.length > longestProviderName || hasInvisible(name)) {
      problems.add('one of its providers has no name that can be read');
    } else if (clusters.has(name)) {
      problems.add(`its provider ${shownName(name)} is there twice; the first counts`);
    } else {
      clusters.set(name, field(each, 'cluster'));
    }
  }
  return clusters;
}
