import { isRefusal, queryClient, retryDelay } from './query-client';
import { sessionQuery } from './session';

/**
 * Loads a lazy part of the studio. If that fails because the gateway is unreachable, retries once as soon as
 * it answers, because React and the router cache a failure forever.
 *
 * @throws the import's error if the retry fails too: the part no longer exists
 */
export const retryingImport =
  <Part>(load: () => Promise<Part>) =>
  async (): Promise<Part> => {
    try {
      return await load();
    } catch {
      await untilAnswered();
      await restyle();
      return load();
    }
  };

/** Waits until the service gives any answer. */
async function untilAnswered(): Promise<void> {
  const retry = (_failures: number, error: unknown) => !isRefusal(error);
  const asking = { queryKey: ['answers'], queryFn: sessionQuery.queryFn, staleTime: 0, retry, retryDelay };
  await queryClient.fetchQuery(asking).catch(() => undefined);
}

/** Reloads style sheets that failed to load; a second import would consider them loaded. */
async function restyle(): Promise<void> {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')];
  await Promise.all(
    links
      .filter(({ sheet }) => sheet === null)
      .map((link) => {
        const again = link.cloneNode() as HTMLLinkElement;
        const isLoaded = new Promise((resolve) => (again.onload = again.onerror = resolve));
        link.replaceWith(again);
        return isLoaded;
      }),
  );
}
