import type { GatewayFeature } from '#gateway/feature.js';
import { ChangeableChapters, ProjectSessions } from '#gateway/runs/feature-ports.js';
import { provideRepositories } from '#kit/runtime/provide-repositories.js';
import { bookFacts } from './facts.js';
import { BookAccess } from './gateway/book-access.js';
import { BookChangeableChapters } from './gateway/changeable-chapters.js';
import { BookChaptersController } from './gateway/chapters.controller.js';
import { BookChaptersService } from './gateway/chapters.service.js';
import { ChapterImpactService } from './gateway/impact.service.js';
import { ProfileAssistant } from './gateway/profile-assistant.service.js';
import { BookProjectsController } from './gateway/projects.controller.js';
import { BookProjectsService } from './gateway/projects.service.js';
import { BookSourcesController } from './gateway/sources.controller.js';
import { BookChapterRepository } from './store/chapters.js';
import { BookRepository } from './store/projects.js';

/** Books: projects, chapters and their sources. */
export const bookGateway: GatewayFeature = {
  facts: bookFacts,
  controllers: [BookProjectsController, BookChaptersController, BookSourcesController],
  providers: [
    ...provideRepositories(BookRepository, BookChapterRepository),
    BookAccess,
    { provide: ProjectSessions, useExisting: BookAccess },
    { provide: ChangeableChapters, useClass: BookChangeableChapters },
    BookProjectsService,
    ProfileAssistant,
    BookChaptersService,
    ChapterImpactService,
  ],
};
