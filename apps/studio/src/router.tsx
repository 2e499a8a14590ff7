import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  Link,
  type ErrorComponentProps,
  type RouteComponent,
} from '@tanstack/react-router';
import { queryClient } from './api/query-client';
import { retryingImport } from './api/retrying-import';
import { RUN_STATUSES, type Run } from './api/runs';
import { sessionQuery } from './api/session';
import type { Selection } from './api/source-files';
import { WORK_KINDS, worksOf, type WorkSelection } from './api/work';
import { loadRest, useTranslation } from './i18n/i18n';
import { readersLanguage } from './i18n/language';
import { loadPhrases } from './i18n/phrases';
import { HomePage } from './pages/home/home-page';
import { Shell } from './shell/shell';
import { Button, Stack, Text, Title, Container } from '@mantine/core';
import { ProblemAlert } from './ui/problem-alert';

/** Returns a text parameter of the address, if present. */
const textOf = <Name extends string>(search: Record<string, unknown>, name: Name) =>
  (typeof search[name] === 'string' ? { [name]: search[name] } : {}) as { [key in Name]?: string };

/** Returns the tab of a page and the pane beside its text, if present. */
const viewOf = (search: Record<string, unknown>): { tab?: string; beside?: string } => ({
  ...textOf(search, 'tab'),
  ...textOf(search, 'beside'),
});

/** Returns a page component that is loaded lazily. */
const lazyPage = <Name extends string>(name: Name, load: () => Promise<Record<Name, RouteComponent>>) =>
  lazyRouteComponent(retryingImport(load), name);

type Search = Record<string, unknown>;

/**
 * Creates the route of a page that requires sign-in. The page is loaded lazily.
 *
 * @param name of the component in the loaded module
 * @param validateSearch returns the parameters of the page from those of the address
 */
const page = <Path extends string, Name extends string, Parameters = object>(
  path: Path,
  name: Name,
  load: () => Promise<Record<Name, RouteComponent>>,
  validateSearch: (search: Search) => Parameters = () => ({}) as Parameters,
) => createRoute({ getParentRoute: () => shell, path, validateSearch, component: lazyPage(name, load) });

/** Loads the texts that the first page does without. */
const loadTexts = () => Promise.all([loadRest(), loadPhrases(readersLanguage())]);

const root = createRootRoute({ notFoundComponent: NotFound });

const signIn = createRoute({
  getParentRoute: () => root,
  path: 'sign-in',
  beforeLoad: loadTexts,
  component: lazyPage('SignInPage', () => import('./pages/sign-in/sign-in-page')),
});

/** Parent route of all pages that require sign-in. */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
  beforeLoad: async ({ location, matches }) => {
    // Load the page and its first data while the session is being checked.
    for (const { routeId } of matches) {
      const route = router.routesById[routeId];
      void router.loadRouteChunk(route);
      void route.options.staticData?.firstData?.();
    }
    const [session] = await Promise.all([
      queryClient.ensureQueryData(sessionQuery),
      location.pathname !== '/' && loadTexts(),
    ]);
    if (!session) throw redirect({ to: '/sign-in', search: { from: location.href } as never });
  },
});

const home = createRoute({
  getParentRoute: () => shell,
  path: '/',
  staticData: { firstData: () => queryClient.prefetchInfiniteQuery(worksOf({})) },
  component: HomePage,
});

const work = createRoute({
  getParentRoute: () => shell,
  path: 'work',
  staticData: { firstData: () => queryClient.prefetchInfiniteQuery(worksOf({})) },
  validateSearch: (search): WorkSelection => {
    const kind = WORK_KINDS.find((known) => known === search['kind']);
    return { ...textOf(search, 'title'), ...(kind && { kind }) };
  },
  component: lazyPage('WorkPage', () => import('./pages/work/work-page')),
});

const inbox = page(
  'inbox',
  'DecisionsPage',
  () => import('./pages/decisions/decisions-page'),
  (search): { show?: string; question?: string } => ({
    ...textOf(search, 'show'),
    ...textOf(search, 'question'),
  }),
);

const sources = page(
  'sources',
  'KnowledgePage',
  () => import('./pages/knowledge/knowledge-page'),
  (search): { title?: string } => textOf(search, 'title'),
);

const document = page(
  'documents/$sessionId',
  'DocumentPage',
  () => import('./pages/documents/document-page'),
  viewOf,
);

const book = page(
  'books/$projectId/$step',
  'BookPage',
  () => import('./pages/books/book-page'),
  (search): { chapter?: string; tab?: string; beside?: string } => ({
    ...textOf(search, 'chapter'),
    ...viewOf(search),
  }),
);

const collection = page(
  'knowledge/$collectionId',
  'CollectionPage',
  () => import('./pages/knowledge/collection-page'),
);

const source = page(
  'knowledge/$collectionId/sources/$sourceId',
  'SourcePage',
  () => import('./pages/knowledge/source-page'),
  ({ from, to }): { from?: number; to?: number } =>
    typeof from === 'number' && typeof to === 'number' ? { from, to } : {},
);

const run = page(
  'runs/$runId',
  'RunPage',
  () => import('./pages/runs/run-page'),
  (search): { step?: number; tab?: string } => ({
    ...textOf(search, 'tab'),
    ...(typeof search['step'] === 'number' && { step: search['step'] }),
  }),
);

const plan = page('plans/$runId', 'PlanPage', () => import('./pages/plans/plan-page'));

const tools = page('tools', 'ToolsPage', () => import('./pages/plans/tools-page'));

const schedules = page('schedules', 'SchedulesPage', () => import('./pages/schedules/schedules-page'));

const article = page('articles/$runId', 'ArticlePage', () => import('./pages/articles/article-page'), viewOf);

const settings = page('settings', 'SettingsLayout', () => import('./pages/settings/settings-layout'));

const settingsStart = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/settings/model' });
  },
});

/** Creates the route of a page of the settings, as `page` does. */
const setting = <Path extends string, Name extends string, Parameters = object>(
  path: Path,
  name: Name,
  load: () => Promise<Record<Name, RouteComponent>>,
  validateSearch: (search: Search) => Parameters = () => ({}) as Parameters,
) => createRoute({ getParentRoute: () => settings, path, validateSearch, component: lazyPage(name, load) });

const runs = setting(
  'runs',
  'RunsPage',
  () => import('./pages/runs/runs-page'),
  (search): { title?: string; status?: Run['status'] } => {
    const status = RUN_STATUSES.find((known) => known === search['status']);
    return { ...textOf(search, 'title'), ...(status && { status }) };
  },
);

const settingsPages = [
  settingsStart,
  runs,
  setting('model', 'ModelPage', () => import('./pages/operation/model-page')),
  setting('access', 'AccessPage', () => import('./pages/access/access-page')),
  setting('webhooks', 'WebhooksPage', () => import('./pages/operation/webhooks-page')),
  setting('secrets', 'SecretsPage', () => import('./pages/plans/secrets-page')),
  setting('servers', 'ServersPage', () => import('./pages/plans/servers-page')),
  setting('usage', 'UsagePage', () => import('./pages/operation/usage-page')),
  setting('audit', 'AuditPage', () => import('./pages/operation/audit-page')),
  setting('service', 'ServicePage', () => import('./pages/operation/service-page')),
] as const;

/** New addresses of pages by their earlier path, with which links and bookmarks still work. */
const MOVED: Readonly<Record<string, { to: string; search?: WorkSelection }>> = {
  documents: { to: '/work', search: { kind: 'document' } },
  books: { to: '/work', search: { kind: 'book' } },
  articles: { to: '/work', search: { kind: 'article' } },
  plans: { to: '/work', search: { kind: 'plan' } },
  decisions: { to: '/inbox' },
  knowledge: { to: '/sources' },
  ...Object.fromEntries(
    ['runs', 'model', 'access', 'webhooks', 'secrets', 'servers', 'usage', 'audit', 'service'].map((path) => [
      path,
      { to: `/settings/${path}` },
    ]),
  ),
};

const moved = Object.entries(MOVED).map(([path, { to, search }]) =>
  createRoute({
    getParentRoute: () => shell,
    path,
    beforeLoad: ({ location }) => {
      throw redirect({ to, search: { ...location.search, ...search }, replace: true } as never);
    },
  }),
);

const style = page('style', 'StylePage', () => import('./pages/articles/style-page'));

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    shell.addChildren([
      home,
      inbox,
      work,
      document,
      book,
      sources,
      collection,
      source,
      run,
      article,
      style,
      plan,
      tools,
      schedules,
      settings.addChildren(settingsPages),
      ...(moved as []),
    ]),
  ]),
  defaultPreload: 'intent',
  defaultErrorComponent: PageError,
  defaultNotFoundComponent: NotFound,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface HistoryState {
    /** Files that the browser left out, or that no document can carry, when the document was begun. */
    skipped?: Pick<Selection<File>, 'leftOut' | 'notCarried'>;
  }
  interface StaticDataRouteOption {
    /** Fetches the data that the page shows first. */
    firstData?: () => Promise<unknown>;
  }
}

function NotFound() {
  const { t } = useTranslation();
  return (
    <Stack align="center" p="xl" component="main">
      <Title order={1}>{t('notFound.title')}</Title>
      <Text>{t('notFound.text')}</Text>
      <Button component={Link} to="/">
        {t('notFound.back')}
      </Button>
    </Stack>
  );
}

/**
 * Replaces a page that failed. Retrying reloads the whole page, because failed parts stay cached and an
 * update replaces all of them.
 */
function PageError({ error }: ErrorComponentProps) {
  return (
    <Container size="sm" py="xl">
      <ProblemAlert error={error} onRetry={() => window.location.reload()} />
    </Container>
  );
}
