/** The value of a variable of Windows, where names that differ in case are one: `Path` is PATH. */
export function windowsVariable(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined {
  const meant = name.toUpperCase();
  return Object.entries(environment).find(([key]) => key.toUpperCase() === meant)?.[1];
}
