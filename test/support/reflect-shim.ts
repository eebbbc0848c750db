/**
 * The metadata calls that tsyringe, a part of @peculiar/x509, makes on Reflect when it is loaded. It refuses to
 * load without them, and brings no polyfill. Must be imported before @peculiar/x509; an existing polyfill stays.
 */
type Metadata = Map<unknown, unknown>;

function install(target: object): void {
  if ('getMetadata' in target) {
    return;
  }
  const known = new WeakMap<object, Metadata>();
  const getOwnMetadata = (key: unknown, owner: object) => known.get(owner)?.get(key);
  const getMetadata = (key: unknown, owner: object): unknown => {
    for (let at: object | null = owner; at !== null; at = Object.getPrototypeOf(at)) {
      if (known.get(at)?.has(key)) {
        return getOwnMetadata(key, at);
      }
    }
    return undefined;
  };
  const defineMetadata = (key: unknown, value: unknown, owner: object) => {
    const metadata = known.get(owner) ?? new Map();
    known.set(owner, metadata.set(key, value));
  };
  Object.assign(target, { getOwnMetadata, getMetadata, defineMetadata });
}

install(Reflect);
