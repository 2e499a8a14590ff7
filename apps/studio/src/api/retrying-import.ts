import { isRefusal, queryClient, retryDelay } from './query-client';
import { sessionQuery } from './session';

/**
 * Loads a part of the studio that is not there from the start. When it does not come, because the gateway is away, it is asked for once
 * more as soon as one answers: React and the router keep a failure for good, and with it the whole page.
 *
 * @throws what the import throws when the part does not come although the service answers: it is there no more
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

/** Waits until the service answers, whatever it says. */
async function untilAnswered(): Promise<void> {
  const retry = (_failures: number, error: unknown) => !isRefusal(error);
  const asking = { queryKey: ['answers'], queryFn: sessionQuery.queryFn, staleTime: 0, retry, retryDelay };
  await queryClient.fetchQuery(asking).catch(() => undefined);
}

/** Asks again for style sheets that did not come: a second import takes them for loaded. */
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
