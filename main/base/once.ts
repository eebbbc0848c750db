/** The value that `make` gives, made when it is first asked for. What it throws, it throws each time. */
export function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
