import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/default-css-variables.layer.css';
import '@mantine/core/styles/global.layer.css';
import '@mantine/core/styles/UnstyledButton.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import '@mantine/core/styles/Text.layer.css';
import '../../../apps/studio/src/ui/fonts.css';
import '../../../apps/studio/src/ui/studio.css';
import './gallery.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { Suspense, useEffect, useRef, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from '../../../apps/studio/src/api/query-client';
import { addMessages } from '../../../apps/studio/src/i18n/i18n';
import { textsOf } from '../../../apps/studio/src/i18n/language';
import { StudioTheme } from '../../../apps/studio/src/ui/studio-theme';
import { differenceOf } from './compare';
import { GALLERY, type Shown } from './states';

/** Presses the first button of a state once, so that the state after it is shown. */
function Pressed({ children }: { children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  const isPressed = useRef(false);
  useEffect(() => {
    if (isPressed.current) return;
    isPressed.current = true;
    frame.current?.querySelector<HTMLElement>('button, summary')?.click();
  }, []);
  return <div ref={frame}>{children}</div>;
}

const State = ({ name, shown: { element, isPressed = false } }: { name: string; shown: Shown }) => (
  <div className="gallery-state" data-state={name}>
    <Suspense>{isPressed ? <Pressed>{element}</Pressed> : element}</Suspense>
  </div>
);

/** Every component in every state, a section each (66.15). */
const Gallery = () => (
  <main className="gallery">
    <h1>Components</h1>
    {Object.entries(GALLERY).map(([component, states]) => (
      <section key={component} data-component={component} aria-label={component}>
        {Object.entries(states).map(([name, shown]) => (
          <State key={name} name={name} shown={shown} />
        ))}
      </section>
    ))}
  </main>
);

// For the spec.
Object.assign(window, { differenceOf, components: Object.keys(GALLERY) });

const router = createRouter({
  routeTree: createRootRoute({ component: Gallery }),
  history: createMemoryHistory(),
});

const [first, rest] = await Promise.all([textsOf('en', 'first'), textsOf('en', 'rest')]);
addMessages('en', { ...first, ...rest });
createRoot(document.getElementById('root')!).render(
  <StudioTheme>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>
  </StudioTheme>,
);
