/** A Go type, as far as JSON is decoded into it. */
export type GoType =
  | 'string'
  /** Behind a pointer. */
  | 'bool'
  | 'any'
  /** metav1.Duration behind a pointer: nanoseconds. */
  | 'duration'
  /** metav1.Time: milliseconds since 1970; null: Go's zero time. */
  | 'time'
  /** []uint8, of base64: only checked. */
  | 'bytes'
  /** A named type of text. */
  | { string: string }
  | { list: GoType; go: string }
  | { map: GoType; go: string }
  | GoStruct;

export interface GoStruct {
  /** Its name with the package: `v1.AuthConfig`. */
  go: string;
  fields: Readonly<Record<string, GoType>>;
  /** Null removes the earlier value. */
  isPointer?: boolean;
}

/** What is decoded: undefined where a text has no such member; null: Go's nil. */
export type GoValue<T> = T extends 'string' | { string: string }
  ? string
  : T extends 'bool'
    ? boolean
    : T extends 'duration'
      ? bigint
      : T extends 'time'
        ? number
        : T extends { list: infer I }
          ? readonly GoValue<I>[]
          : T extends { map: infer I }
            ? ReadonlyMap<string, GoValue<I>>
            : T extends { fields: infer F }
              ? { readonly [K in keyof F]?: GoValue<F[K]> | null | undefined }
              : never;

/** Null is a value of it. */
export function isNilable(type: GoType): boolean {
  return (
    type === 'bool' ||
    type === 'duration' ||
    type === 'time' ||
    type === 'bytes' ||
    (typeof type === 'object' &&
      ('list' in type || 'map' in type || ('fields' in type && type.isPointer === true)))
  );
}

/** What null leaves in a list or a map. */
export function zero(type: GoType): unknown {
  return kindOf(type) === 'string' ? '' : typeof type === 'object' && 'fields' in type ? {} : undefined;
}

/** The kind of JSON value that a scalar type takes. */
export function kindOf(type: GoType): 'string' | 'bool' | null {
  if (typeof type === 'object') {
    return 'string' in type ? 'string' : null;
  }
  return type === 'bool' ? 'bool' : type === 'string' ? 'string' : null;
}

/** As errors name it. */
export function goName(type: GoType): string {
  if (typeof type === 'object') {
    return 'string' in type ? type.string : type.go;
  }
  return type === 'bytes' ? '[]uint8' : type;
}
