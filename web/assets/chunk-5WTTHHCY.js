var r=["first","second"],t=e=>e==="first"?"second":"first",n=e=>e.legal.length===1&&e.legal[0].to===void 0;export{r as a,t as b,n as c};
