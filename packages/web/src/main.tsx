import { render } from 'preact'
import './style/theme.css'
import './style/base.css'
import './style/parts.css'
import './style/shell.css'
import './style/help.css'
import './style/home.css'
import './style/search.css'
import './charts/charts.css'
import './pages/report.css'
import './pages/agents.css'
import './pages/compare.css'
import './pages/health.css'
import './pages/now.css'
import { startActions } from './app/actions.js'
import { startHub } from './app/hub.js'
import { startLive } from './app/live.js'
import { startNotify } from './app/notify.js'
import { isHub } from './app/page.js'
import { startRoute } from './app/route.js'
import { startTheme } from './app/theme.js'
import { Viewer } from './viewer.js'

const page = document.getElementById('page')
if (page !== null) {
  page.replaceChildren()
  startTheme()
  startRoute()
  startLive()
  if (isHub()) startHub()
  else {
    startNotify()
    void startActions()
  }
  render(<Viewer />, page)
}
