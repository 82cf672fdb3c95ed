/** The page inside an exported file: one session, or the sessions of a tree. */
import { render } from 'preact'
import { startTheme } from './app/theme.js'
import { FilePage } from './file-page.js'
import { Failure } from './parts/waiting.js'
import { fileSessions, fileSource } from './session/file-source.js'

const page = document.getElementById('page')
startTheme()
if (page !== null)
  fileSessions().then(
    sessions => {
      const sourceOf = (number: number): ReturnType<typeof fileSource> => fileSource(sessions, number)
      render(<FilePage sessions={sessions} sourceOf={sourceOf} />, page)
    },
    (error: unknown) => render(<Failure error={error} />, page),
  )
