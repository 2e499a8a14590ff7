/** Addresses of the example's files, bundled with the studio so that new users have something to write. */
const addresses = import.meta.glob<string>('../../../../../examples/incident/*', {
  query: '?url',
  import: 'default',
  eager: true,
});

/**
 * Raw material of an incident: notes, a shell session, a log, configuration and a picture. Another picture is
 * missing on purpose.
 */
export const exampleFiles = (): Promise<File[]> =>
  Promise.all(
    Object.entries(addresses).map(async ([path, address]) => {
      const response = await fetch(address);
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      return new File([await response.blob()], path.split('/').at(-1)!);
    }),
  );
