try{document.documentElement.dataset.theme=JSON.parse(localStorage.getItem("quintet.theme")??'"auto"')}catch{}
