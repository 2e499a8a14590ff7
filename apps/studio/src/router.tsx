import {
  type AnyRoute,
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
import { SETTINGS } from './pages/settings/settings';
import { Shell } from './shell/shell';
import { Button, Stack, Text, Title, Container } from '@mantine/core';
import { ProblemAlert } from './ui/frames';

/** Returns a function that selects text parameters of the address, as far as they are present. */
const texts =
  <Name extends string>(...names: Name[]) =>
  (search: Search) =>
    Object.fromEntries(
      names.flatMap((name) => (typeof search[name] === 'string' ? [[name, search[name]]] : [])),
    ) as { [key in Name]?: string };

type Load = () => Promise<{ default: RouteComponent }>;

/** Returns a page component that is loaded lazily. */
const lazyPage = (load: Load) => lazyRouteComponent(retryingImport(load));

type Search = Record<string, unknown>;

/**
 * Returns a function that creates the route of a lazily loaded page below another route. Its `validateSearch` returns the
 * parameters of the page from those of the address.
 */
const pagesOf =
  <Parent extends AnyRoute>(getParentRoute: () => Parent) =>
  <Path extends string, Parameters = object>(
    path: Path,
    load: Load,
    validateSearch: (search: Search) => Parameters = () => ({}) as Parameters,
  ) =>
    createRoute({ getParentRoute, path, validateSearch, component: lazyPage(load) });

/** Creates the route of a page that requires sign-in. */
const page = pagesOf(() => shell);

/** Loads the texts that the first page does without. */
const loadTexts = () => Promise.all([loadRest(), loadPhrases(readersLanguage())]);

const root = createRootRoute({ notFoundComponent: NotFound });

const signIn = createRoute({
  getParentRoute: () => root,
  path: 'sign-in',
  beforeLoad: loadTexts,
  component: lazyPage(() => import('./pages/sign-in/sign-in-page')),
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
    return { ...texts('title')(search), ...(kind && { kind }) };
  },
  component: lazyPage(() => import('./pages/work/work-page')),
});

const settings = page('settings', () => import('./pages/settings/settings-layout'));

const settingsStart = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/settings/model' });
  },
});

/** Creates the route of a page of the settings. */
const setting = pagesOf(() => settings);

/** New addresses of pages by their earlier path, with which links and bookmarks still work. */
const MOVED: Readonly<Record<string, { to: string; search?: WorkSelection }>> = {
  tools: { to: '/plans/new' },
  documents: { to: '/work', search: { kind: 'document' } },
  books: { to: '/work', search: { kind: 'book' } },
  articles: { to: '/work', search: { kind: 'article' } },
  plans: { to: '/work', search: { kind: 'plan' } },
  decisions: { to: '/inbox' },
  knowledge: { to: '/sources' },
  ...Object.fromEntries(SETTINGS.map((path) => [path, { to: `/settings/${path}` }])),
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

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    shell.addChildren([
      home,
      page('inbox', () => import('./pages/decisions/decisions-page'), texts('show', 'question')),
      work,
      page('documents/$sessionId', () => import('./pages/documents/document-page'), texts('tab', 'beside')),
      page(
        'books/$projectId/$step',
        () => import('./pages/books/book-page'),
        texts('chapter', 'tab', 'beside'),
      ),
      page('sources', () => import('./pages/knowledge/knowledge-page'), texts('title')),
      page('knowledge/$collectionId', () => import('./pages/knowledge/collection-page')),
      page(
        'knowledge/$collectionId/sources/$sourceId',
        () => import('./pages/knowledge/source-page'),
        ({ from, to }): { from?: number; to?: number } =>
          typeof from === 'number' && typeof to === 'number' ? { from, to } : {},
      ),
      page(
        'runs/$runId',
        () => import('./pages/runs/run-page'),
        (search): { step?: number; tab?: string } => ({
          ...texts('tab')(search),
          ...(typeof search['step'] === 'number' && { step: search['step'] }),
        }),
      ),
      page('articles/$runId', () => import('./pages/articles/article-page'), texts('tab', 'beside')),
      page('style', () => import('./pages/articles/style-page')),
      page('plans/new', () => import('./pages/plans/new-plan-page'), texts('goal', 'from')),
      page('plans/$runId', () => import('./pages/plans/plan-page')),
      page('schedules', () => import('./pages/schedules/schedules-page')),
      settings.addChildren([
        settingsStart,
        setting(
          'runs',
          () => import('./pages/runs/runs-page'),
          (search): { title?: string; status?: Run['status'] } => {
            const status = RUN_STATUSES.find((known) => known === search['status']);
            return { ...texts('title')(search), ...(status && { status }) };
          },
        ),
        setting('model', () => import('./pages/operation/model-page')),
        setting('access', () => import('./pages/access/access-page')),
        setting('webhooks', () => import('./pages/operation/webhooks-page')),
        setting('secrets', () => import('./pages/plans/secrets-page')),
        setting('servers', () => import('./pages/plans/servers-page')),
        setting('usage', () => import('./pages/operation/usage-page')),
        setting('audit', () => import('./pages/operation/audit-page')),
        setting('service', () => import('./pages/operation/service-page')),
      ]),
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
