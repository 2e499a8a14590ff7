import { firstMessages, language } from './first-requests';
// Base styles first: components on the same elements refine them with their own.
import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/default-css-variables.layer.css';
import '@mantine/core/styles/global.layer.css';
import '@mantine/core/styles/UnstyledButton.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import '@mantine/core/styles/Text.layer.css';
import './ui/fonts.css';
import './ui/studio.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client';
import { addMessages } from './i18n/i18n';
import { router } from './router';
import { nonce } from './ui/nonce';
import { StudioTheme } from './ui/studio-theme';

/** Loads messages, session and page concurrently; rendering waits for the messages. */
async function start(): Promise<void> {
  // Mantine's dialogs lock scrolling with a style element, which needs the nonce.
  setNonce(nonce);
  const pages = router.load();
  addMessages(language, await firstMessages);
  await pages;
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <StudioTheme>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </StudioTheme>
    </StrictMode>,
  );
}

// Not awaited: the pages import modules bundled with this file, and would wait for it.
void start();
