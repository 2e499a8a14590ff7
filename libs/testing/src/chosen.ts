/**
 * What a variable of the environment chooses among the values, of which the first holds where it is not set or empty.
 *
 * @throws Error when it is set to anything else
 */
export function chosen<T extends string>(variable: string, values: readonly [T, ...T[]]): T {
  const asked = process.env[variable] || values[0];
  const value = values.find((each) => each === asked);
  if (value === undefined) throw new Error(`${variable} is "${asked}": it has to be ${values.join(' or ')}.`);
  return value;
}
