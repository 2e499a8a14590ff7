/**
 * Returns a URL that signs a browser in once, within five minutes, with the scopes of an API key; the URL of
 * the studio's start page if the service creates none.
 *
 * @param url of the gateway
 */
export async function signInLink(url: string, apiKey: string): Promise<string> {
  const response = await fetch(`${url}/api/studio/sign-in-links`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
  });
  if (!response.ok) return `${url}/`;
  const { path } = (await response.json()) as { path: string };
  return url + path;
}
