import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  Link,
  type ErrorComponentProps,
} from '@tanstack/react-router';
import { sessionsQuery } from './api/documents';
import { queryClient } from './api/query-client';
import { retryingImport } from './api/retrying-import';
import { RUN_STATUSES, runsOf, type Run } from './api/runs';
import { sessionQuery } from './api/session';
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

/** Returns the tab of a page and the view within it, if present. */
const viewOf = (search: Record<string, unknown>): { tab?: string; view?: string } => ({
  ...textOf(search, 'tab'),
  ...textOf(search, 'view'),
});

/** Returns a page component that is loaded lazily. */
const lazyPage = <Module extends Record<string, unknown>, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
) => lazyRouteComponent(retryingImport(load), name);

/** Loads the texts that the first page does without. */
const loadTexts = () => Promise.all([loadRest(), loadPhrases(readersLanguage())]);

const root = createRootRoute({ notFoundComponent: NotFound });

const signIn = createRoute({
  getParentRoute: () => root,
  path: 'sign-in',
  beforeLoad: loadTexts,
  component: lazyPage(() => import('./pages/sign-in/sign-in-page'), 'SignInPage'),
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
  staticData: { firstData: () => queryClient.prefetchInfiniteQuery(runsOf({})) },
  component: HomePage,
});

const documents = createRoute({
  getParentRoute: () => shell,
  path: 'documents',
  staticData: { firstData: () => queryClient.prefetchInfiniteQuery(sessionsQuery()) },
  validateSearch: (search): { title?: string } => textOf(search, 'title'),
  component: lazyPage(() => import('./pages/documents/documents-page'), 'DocumentsPage'),
});

const document = createRoute({
  getParentRoute: () => shell,
  path: 'documents/$sessionId',
  validateSearch: viewOf,
  component: lazyPage(() => import('./pages/documents/document-page'), 'DocumentPage'),
});

const decisions = createRoute({
  getParentRoute: () => shell,
  path: 'decisions',
  component: lazyPage(() => import('./pages/decisions/decisions-page'), 'DecisionsPage'),
});

const books = createRoute({
  getParentRoute: () => shell,
  path: 'books',
  validateSearch: (search): { title?: string } => textOf(search, 'title'),
  component: lazyPage(() => import('./pages/books/books-page'), 'BooksPage'),
});

const book = createRoute({
  getParentRoute: () => shell,
  path: 'books/$projectId/$step',
  validateSearch: (search): { chapter?: string; tab?: string; view?: string } => ({
    ...textOf(search, 'chapter'),
    ...viewOf(search),
  }),
  component: lazyPage(() => import('./pages/books/book-page'), 'BookPage'),
});

const knowledge = createRoute({
  getParentRoute: () => shell,
  path: 'knowledge',
  validateSearch: (search): { title?: string } => textOf(search, 'title'),
  component: lazyPage(() => import('./pages/knowledge/knowledge-page'), 'KnowledgePage'),
});

const collection = createRoute({
  getParentRoute: () => shell,
  path: 'knowledge/$collectionId',
  component: lazyPage(() => import('./pages/knowledge/collection-page'), 'CollectionPage'),
});

const source = createRoute({
  getParentRoute: () => shell,
  path: 'knowledge/$collectionId/sources/$sourceId',
  validateSearch: ({ from, to }): { from?: number; to?: number } =>
    typeof from === 'number' && typeof to === 'number' ? { from, to } : {},
  component: lazyPage(() => import('./pages/knowledge/source-page'), 'SourcePage'),
});

const runs = createRoute({
  getParentRoute: () => shell,
  path: 'runs',
  validateSearch: (search): { title?: string; status?: Run['status'] } => {
    const status = RUN_STATUSES.find((known) => known === search['status']);
    return { ...textOf(search, 'title'), ...(status && { status }) };
  },
  component: lazyPage(() => import('./pages/runs/runs-page'), 'RunsPage'),
});

const run = createRoute({
  getParentRoute: () => shell,
  path: 'runs/$runId',
  validateSearch: (search): { step?: number; tab?: string } => ({
    ...textOf(search, 'tab'),
    ...(typeof search['step'] === 'number' && { step: search['step'] }),
  }),
  component: lazyPage(() => import('./pages/runs/run-page'), 'RunPage'),
});

const access = createRoute({
  getParentRoute: () => shell,
  path: 'access',
  component: lazyPage(() => import('./pages/access/access-page'), 'AccessPage'),
});

const plans = createRoute({
  getParentRoute: () => shell,
  path: 'plans',
  validateSearch: (search): { title?: string } => textOf(search, 'title'),
  component: lazyPage(() => import('./pages/plans/plans-page'), 'PlansPage'),
});

const plan = createRoute({
  getParentRoute: () => shell,
  path: 'plans/$runId',
  component: lazyPage(() => import('./pages/plans/plan-page'), 'PlanPage'),
});

const tools = createRoute({
  getParentRoute: () => shell,
  path: 'tools',
  component: lazyPage(() => import('./pages/plans/tools-page'), 'ToolsPage'),
});

const servers = createRoute({
  getParentRoute: () => shell,
  path: 'servers',
  component: lazyPage(() => import('./pages/plans/servers-page'), 'ServersPage'),
});

const secrets = createRoute({
  getParentRoute: () => shell,
  path: 'secrets',
  component: lazyPage(() => import('./pages/plans/secrets-page'), 'SecretsPage'),
});

const usage = createRoute({
  getParentRoute: () => shell,
  path: 'usage',
  component: lazyPage(() => import('./pages/operation/usage-page'), 'UsagePage'),
});

const audit = createRoute({
  getParentRoute: () => shell,
  path: 'audit',
  component: lazyPage(() => import('./pages/operation/audit-page'), 'AuditPage'),
});

const model = createRoute({
  getParentRoute: () => shell,
  path: 'model',
  component: lazyPage(() => import('./pages/operation/model-page'), 'ModelPage'),
});

const schedules = createRoute({
  getParentRoute: () => shell,
  path: 'schedules',
  component: lazyPage(() => import('./pages/schedules/schedules-page'), 'SchedulesPage'),
});

const webhooks = createRoute({
  getParentRoute: () => shell,
  path: 'webhooks',
  component: lazyPage(() => import('./pages/operation/webhooks-page'), 'WebhooksPage'),
});

const service = createRoute({
  getParentRoute: () => shell,
  path: 'service',
  component: lazyPage(() => import('./pages/operation/service-page'), 'ServicePage'),
});

const articles = createRoute({
  getParentRoute: () => shell,
  path: 'articles',
  validateSearch: (search): { title?: string } => textOf(search, 'title'),
  component: lazyPage(() => import('./pages/articles/articles-page'), 'ArticlesPage'),
});

const article = createRoute({
  getParentRoute: () => shell,
  path: 'articles/$runId',
  validateSearch: viewOf,
  component: lazyPage(() => import('./pages/articles/article-page'), 'ArticlePage'),
});

const style = createRoute({
  getParentRoute: () => shell,
  path: 'style',
  component: lazyPage(() => import('./pages/articles/style-page'), 'StylePage'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    shell.addChildren([
      home,
      documents,
      document,
      books,
      book,
      knowledge,
      collection,
      source,
      decisions,
      runs,
      run,
      access,
      articles,
      article,
      style,
      plans,
      plan,
      tools,
      servers,
      secrets,
      usage,
      model,
      audit,
      schedules,
      webhooks,
      service,
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
