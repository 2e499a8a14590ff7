/** Where the files of the example stand; they are built with the studio, so that who is new has something to write. */
const addresses = import.meta.glob<string>('../../../../../examples/incident/*', {
  query: '?url',
  import: 'default',
  eager: true,
});

/** The raw material of an incident: notes, a shell session, a log, configuration, a picture; another picture is missing. */
export const exampleFiles = (): Promise<File[]> =>
  Promise.all(
    Object.entries(addresses).map(async ([path, address]) => {
      const response = await fetch(address);
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      return new File([await response.blob()], path.split('/').at(-1)!);
    }),
  );
