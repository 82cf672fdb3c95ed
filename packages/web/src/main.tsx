import { render } from 'preact'
import './style/theme.css'
import './style/base.css'
import './style/parts.css'
import './style/shell.css'
import './style/home.css'
import './style/search.css'
import './charts/charts.css'
import './pages/report.css'
import './pages/agents.css'
import './pages/compare.css'
import './pages/health.css'
import { startLive } from './shell/live.js'
import { startRoute } from './shell/route.js'
import { Shell } from './shell/shell.js'
import { startTheme } from './shell/theme.js'

const page = document.getElementById('page')
if (page !== null) {
  page.replaceChildren()
  startTheme()
  startRoute()
  startLive()
  render(<Shell />, page)
}
